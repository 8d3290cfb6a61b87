/** Uploads with a taken name: a numbered name, a refusal, or new content for the existing file. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ApiError } from '../../src/api/client.ts'
import { getFile, getFileByPath, listFiles } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { type Holdings, readHoldings } from '../support/holdings.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const bytesOf = (text: string): number => Buffer.byteLength(text)

/** Uploads one name again and again into a new folder; returns the names of the files. */
async function pileUp(name: string, times: number): Promise<string[]> {
  const folder = await buildFolder(user)
  const names: string[] = []
  for (let round = 0; round < times; round++) {
    names.push((await buildFile(user, { name, parent_id: folder.id }, `${round}`)).name)
  }
  return names
}

describe('with on_conflict=rename (the default)', () => {
  test.each([
    ['report.pdf', ['report.pdf', 'report (1).pdf', 'report (2).pdf']],
    ['archive.tar.gz', ['archive.tar.gz', 'archive.tar (1).gz', 'archive.tar (2).gz']],
    ['no extension', ['no extension', 'no extension (1)', 'no extension (2)']],
    ['.env', ['.env', '.env (1)', '.env (2)']],
    ['.config.json', ['.config.json', '.config (1).json', '.config (2).json']],
    ['dot.', ['dot.', 'dot (1).', 'dot (2).']],
    ['a (1).txt', ['a (1).txt', 'a (1) (1).txt', 'a (1) (2).txt']],
    ['50% _x_.txt', ['50% _x_.txt', '50% _x_ (1).txt', '50% _x_ (2).txt']],
  ])('%s gets numbers before its extension', async (name, names) => {
    expect(await pileUp(name, 3)).toEqual(names)
  })

  test('a name gets the smallest free number', async () => {
    const folder = await buildFolder(user)
    const again = () => buildFile(user, { name: 'a.txt', parent_id: folder.id })
    for (const name of ['a (2).txt', 'a (10).txt', 'a (1).TXT', 'a (x).txt', 'a.txt']) {
      await buildFile(user, { name, parent_id: folder.id })
    }
    expect((await again()).name).toBe('a (1).txt')
    const third = await again()
    expect(third.name).toBe('a (3).txt')
    await user.call(trashFile, { id: third.id })
    expect((await again()).name).toBe('a (3).txt')
  })

  test('a folder takes a name like a file', async () => {
    const parent = await buildFolder(user)
    await buildFolder(user, 'thing.d', parent.id)
    expect((await buildFile(user, { name: 'thing.d', parent_id: parent.id })).name).toBe('thing (1).d')
  })

  test.each([
    ['ASCII', `${'x'.repeat(251)}.txt`],
    ['two-byte letters', `${'é'.repeat(125)}.txt`],
    ['emoji of many code points', `${'👩‍👩‍👧‍👦'.repeat(10)}.md`],
    ['a stem with numbers of its own', `${'n (1) '.repeat(41)}.txt`],
    ['an extension with a number of its own', `${'x'.repeat(240)}.a (1) b`],
    ['no extension', 'y'.repeat(255)],
    ['an extension as long as the name', `a.${'e'.repeat(253)}`],
    ['an extension that nearly fills the name', `stem.${'e'.repeat(240)}`],
  ])('a stem is cut between characters so that the name fits into 255 bytes: %s', async (_what, name) => {
    const names = await pileUp(name, 12)
    expect(new Set(names).size).toBe(12)
    expect(names[0]).toBe(name)
    for (const numbered of names.slice(1)) {
      expect(bytesOf(numbered)).toBeLessThanOrEqual(255)
      expect(bytesOf(numbered)).toBeGreaterThan(bytesOf(name) > 240 ? 225 : 0)
      expect(numbered.isWellFormed()).toBe(true)
      expect(numbered).toMatch(/ \(\d+\)/)
    }
  })

  test('characters of several code points stay whole', async () => {
    const [, second] = await pileUp(`${'👩‍👩‍👧‍👦'.repeat(10)}.md`, 2)
    expect(second).toBe(`${'👩‍👩‍👧‍👦'.repeat(9)} (1).md`)
  })

  test('concurrent uploads of one name each get a number', async () => {
    const folder = await buildFolder(user)
    const files = await Promise.all(
      Array.from({ length: 12 }, () => buildFile(user, { name: 'same.txt', parent_id: folder.id })),
    )
    const expected = ['same.txt', ...Array.from({ length: 11 }, (_, index) => `same (${index + 1}).txt`)]
    expect(files.map(({ name }) => name).sort()).toEqual(expected.sort())
  })
})

describe('with on_conflict=fail', () => {
  test('a taken name is 409 and leaves nothing', async () => {
    await buildFile(user, { name: 'taken.bin' })
    await buildFolder(user, 'taken folder')
    const before = await readHoldings(server)
    for (const name of ['taken.bin', 'taken folder']) {
      const error = await buildFile(user, { name, on_conflict: 'fail' }, randomBytes(100_000)).catch(caught => caught)
      expect(error).toBeInstanceOf(ApiError)
      expect(error).toMatchObject({ status: 409, code: 'name_taken', fields: { name: expect.any(String) } })
    }
    expect(await readHoldings(server)).toEqual(before)
  })

  test('a free name goes to one of two concurrent uploads', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.allSettled(
        [1, 2].map(() => buildFile(user, { name: `race ${round}`, on_conflict: 'fail' }, randomBytes(50_000))),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
      const lost = answers.find(answer => answer.status === 'rejected')
      expect(lost?.reason).toMatchObject({ status: 409, code: 'name_taken' })
    }
    const { keys, blobs, blobBytes } = await readHoldings(server)
    expect(keys.length).toBe(blobs - blobBytes)
  })
})

describe('with on_conflict=replace', () => {
  test('a file keeps its id, folder and creation time, and gets the new content, size and times', async () => {
    const old = await buildFile(user, { name: 'page.html', modified_at: '2001-01-01T00:00:00Z' }, 'old content')
    const response = await user.upload('new', { name: 'page.html', on_conflict: 'replace' })
    expect(response).toEqual({
      ...old,
      size: 3,
      sha256: response.sha256,
      modified_at: null,
      updated_at: response.updated_at,
    })
    expect(response.sha256).not.toBe(old.sha256)
    expect(Date.parse(response.updated_at)).toBeGreaterThanOrEqual(Date.parse(old.updated_at))
    expect(await (await user.raw(`/api/files/${old.id}/download`)).text()).toBe('new')
  })

  test('the answer is 201, whether or not the name was free', async () => {
    for (const name of ['fresh.txt', 'fresh.txt']) {
      const form = new FormData()
      form.set('on_conflict', 'replace')
      form.set('file', new Blob([name]), name)
      expect((await user.raw('/api/files/upload', { method: 'POST', body: form })).status).toBe(201)
    }
    const { file } = await user.call(getFileByPath, { path: '/fresh.txt' })
    expect((await user.call(getFile, { id: file.id })).file.size).toBe(9)
  })

  test('a folder is never replaced: the answer is 409, and nothing stays', async () => {
    const folder = await buildFolder(user, 'keep me')
    const before = await readHoldings(server)
    await expect(
      buildFile(user, { name: 'keep me', on_conflict: 'replace' }, randomBytes(100_000)),
    ).rejects.toMatchObject({ status: 409, code: 'name_taken', fields: { name: expect.any(String) } })
    expect(await readHoldings(server)).toEqual(before)
    expect((await user.call(listFiles, { parent_id: folder.id })).total).toBe(0)
  })

  test('the quota counts the difference', async () => {
    const owner = await buildUser(server)
    const used = async () => (await readHoldings(server)).storageUsed
    const before = await used()
    await buildFile(owner, { name: 'f' }, randomBytes(1000))
    await buildFile(owner, { name: 'f', on_conflict: 'replace' }, randomBytes(70_000))
    expect(await used()).toBe(before + 70_000)
    await buildFile(owner, { name: 'f', on_conflict: 'replace' }, randomBytes(10))
    expect(await used()).toBe(before + 10)
  })

  test('the same content is stored once and kept', async () => {
    const bytes = randomBytes(100_000)
    const file = await buildFile(user, { name: 'same again' }, bytes)
    const before = await readHoldings(server)
    await buildFile(user, { name: 'same again', on_conflict: 'replace' }, bytes)
    // The new bytes have another key, and the old ones go some seconds later.
    const shown = ({ keys, ...counts }: Holdings) => ({ ...counts, keys: keys.length })
    await expect.poll(async () => shown(await readHoldings(server))).toEqual(shown(before))
    const download = await user.raw(`/api/files/${file.id}/download`)
    expect(Buffer.from(await download.arrayBuffer()).equals(bytes)).toBe(true)
  })
})
