/** Snapshots that somebody deletes from a folder of backups by hand: `--verify` and the next backup miss them. */
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { formatManifest } from '../../src/commands/backup/manifest.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string

beforeAll(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
})
afterAll(() => server.close())
beforeEach(async () => {
  folder = await backups.openFolder()
})

const listPath = () => join(folder, 'snapshots.txt')
const manifestPath = (snapshot: string) => join(folder, 'snapshots', `${snapshot}.json`)
const verify = () => runOn(server, ['backup', '--verify', folder])
const backUp = (...args: string[]) => runOn(server, ['backup', folder, ...args])

/** Makes snapshots, the oldest first. */
async function makeSnapshots(count: number): Promise<string[]> {
  for (let made = 0; made < count; made += 1) await backups.backUp(server, folder)
  return backups.listSnapshots(folder)
}

const missed = (snapshot: string) => `snapshots/${snapshot}.json is missing`

describe('a snapshot that was deleted by hand', () => {
  test.each(['oldest', 'newest'])('is named by --verify and by the next backup if it was the %s', async which => {
    const snapshots = await makeSnapshots(3)
    const gone = snapshots.at(which === 'oldest' ? 0 : -1) ?? ''
    await rm(manifestPath(gone))
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining(missed(gone)) })
    expect(await backUp()).toMatchObject({ code: 1, stderr: expect.stringContaining(missed(gone)) })
    // It stays named, until its line is deleted.
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining(missed(gone)) })
    await writeFile(listPath(), (await readFile(listPath(), 'utf8')).replace(`${gone}\n`, ''))
    expect(await verify()).toMatchObject({ code: 0 })
    expect(await backUp()).toMatchObject({ code: 0, stderr: '' })
  })

  test('keeps its contents, and is whole again once it is brought back', async () => {
    const file = await buildFile(ann, { name: 'only there.bin' }, largeContent())
    const [gone = ''] = await makeSnapshots(1)
    await ann.call(trashFile, { id: file.id })
    await ann.call(deleteFile, { id: file.id })
    const aside = join(await backups.openFolder(), 'aside')
    await rename(manifestPath(gone), aside)
    const { code, stderr } = await backUp('--keep', '2')
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('stay') })
    await backUp()
    expect(await backups.listContents(folder)).toContain(file.sha256)
    await writeFile(listPath(), `${gone}\n${await readFile(listPath(), 'utf8')}`)
    await rename(aside, manifestPath(gone))
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining(`${gone}  whole`) })
  })

  test('is not counted by --keep, and is given up when --keep would have removed it', async () => {
    const [first = '', second = '', third = ''] = await makeSnapshots(3)
    await rm(manifestPath(second))
    const made = await backUp('--keep', '3', '--json')
    expect([made.code, JSON.parse(made.stdout).removed]).toEqual([1, []])
    expect(await backups.listSnapshots(folder)).toMatchObject({ length: 3, 0: first, 1: third })
    const next = await backUp('--keep', '3', '--json')
    // Three newer ones are there, so this is the last backup that names it.
    expect([next.code, JSON.parse(next.stdout).removed]).toEqual([1, [first]])
    expect(await backUp('--keep', '3')).toMatchObject({ code: 0, stderr: '' })
    expect(await verify()).toMatchObject({ code: 0 })
  })

  test('is named by a restore of an older one, unless that one was asked for', async () => {
    const [older = '', newest = ''] = await makeSnapshots(2)
    await rm(manifestPath(newest))
    const words = `snapshot ${newest}, which is newer, is missing`
    const restored = await runOn(await backups.openSite(), ['restore', folder])
    expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(words) })
    expect(restored.stdout).toContain(older)
    const wanted = await runOn(await backups.openSite(), ['restore', folder, '--snapshot', older])
    expect(wanted.code).toBe(0)
  })

  test('is named also if all of them were deleted, with their folder', async () => {
    const snapshots = await makeSnapshots(2)
    await rm(join(folder, 'snapshots'), { recursive: true })
    const { code, stdout } = await verify()
    expect(code).toBe(1)
    for (const snapshot of snapshots) expect(stdout).toContain(missed(snapshot))
  })
})

test('rows of an earlier snapshot that were deleted are named by the next backup, also where it brings them again', async () => {
  const [snapshot = ''] = await makeSnapshots(1)
  const [part] = (await backups.readManifest(folder, snapshot)).tables.find(({ name }) => name === 'users')?.parts ?? []
  const path = backups.contentPath(folder, part?.sha256 ?? '')
  await rm(path)
  const told = `blobs/${part?.sha256} is missing or damaged`
  expect(await backUp()).toMatchObject({ code: 1, stderr: expect.stringContaining(`${told}; it is whole again`) })
  expect(await backUp()).toMatchObject({ code: 0, stderr: '' })
  await buildUser(server)
  await rm(path)
  expect(await backUp()).toMatchObject({ code: 1, stderr: expect.stringMatching(new RegExp(`${told}$`, 'm')) })
})

describe('the list of snapshots', () => {
  const damages: [string, (text: string) => string | null][] = [
    ['deleted', () => null],
    ['emptied', () => ''],
    ['with a line that is no name', text => text.replace('T', 'S')],
  ]
  test.each(damages)('%s is named by --verify and by the next backup, which writes it anew', async (_, damage) => {
    await makeSnapshots(2)
    const text = damage(await readFile(listPath(), 'utf8'))
    if (text === null) await rm(listPath())
    else await writeFile(listPath(), text)
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('snapshots.txt: it') })
    expect(await backUp()).toMatchObject({ code: 1, stderr: expect.stringContaining('snapshots.txt: it') })
    expect(await verify()).toMatchObject({ code: 0 })
    expect((await readFile(listPath(), 'utf8')).trim().split('\n')).toEqual(await backups.listSnapshots(folder))
  })

  test('may be missing in a folder of an older filestore, and is made by the next backup', async () => {
    for (const snapshot of await makeSnapshots(2)) {
      const { digest: _digest, ...manifest } = { digest: '', ...(await backups.readManifest(folder, snapshot)) }
      await writeFile(manifestPath(snapshot), formatManifest({ ...manifest, format: 1 }))
    }
    await rm(listPath())
    expect(await verify()).toMatchObject({ code: 0 })
    expect(await backUp()).toMatchObject({ code: 0, stderr: '' })
    expect((await readFile(listPath(), 'utf8')).trim().split('\n')).toHaveLength(3)
    expect(await verify()).toMatchObject({ code: 0 })
  })

  test.each(damages)(
    '%s is named also after a backup that was interrupted, with its newest snapshot lost',
    async (_, damage) => {
      const [first = '', newest = '', unlisted = ''] = await makeSnapshots(3)
      await writeFile(join(folder, 'unfinished'), `${unlisted}\n`)
      const text = damage(`${first}\n${newest}\n`)
      if (text === null) await rm(listPath())
      else await writeFile(listPath(), text)
      await rm(manifestPath(newest))
      const words = expect.stringContaining('snapshots.txt: it')
      expect(await verify()).toMatchObject({ code: 1, stdout: words })
      expect(await runOn(await backups.openSite(), ['restore', folder])).toMatchObject({ code: 1, stderr: words })
      const chosen = await runOn(await backups.openSite(), ['restore', folder, '--snapshot', first])
      expect(chosen).toMatchObject({ code: 0 })
      expect(await backUp()).toMatchObject({ code: 1, stderr: words })
      expect((await verify()).stdout).not.toContain('snapshots.txt: it')
    },
  )

  test('may lack what an interrupted backup has made or was to remove, and nothing else', async () => {
    const [oldest = '', second = '', third = '', made = ''] = await makeSnapshots(4)
    const leave = async (listed: string[], unlisted: string[]) => {
      const lines = (names: string[]) => names.map(name => `${name}\n`).join('')
      await writeFile(listPath(), lines(listed))
      await writeFile(join(folder, 'unfinished'), lines(unlisted))
    }
    await leave([third, made], [made, oldest, second])
    expect(await verify()).toMatchObject({ code: 0 })
    await leave([third], [made, oldest])
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`snapshots.txt: it lacks ${second}`),
    })
    // An older filestore leaves an empty mark.
    await leave([oldest, second], [])
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`snapshots.txt: it lacks ${third}`),
    })
    await leave([oldest, third, made], [])
    expect(await verify()).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`snapshots.txt: it lacks ${second}`),
    })
  })

  test('may be missing where the first backup was interrupted, and only there', async () => {
    const [made = ''] = await makeSnapshots(1)
    await rm(listPath())
    await writeFile(join(folder, 'unfinished'), `${made}\n`)
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('snapshots.txt: it is missing') })
    await writeFile(join(folder, 'unfinished'), `first\n${made}\n`)
    expect(await verify()).toMatchObject({ code: 0 })
    expect(await backUp()).toMatchObject({ code: 0, stderr: '' })
    expect((await readFile(listPath(), 'utf8')).trim().split('\n')).toEqual(await backups.listSnapshots(folder))
  })

  test('may lack the snapshot of a backup that was interrupted, and has it after the next', async () => {
    const [first = '', second = ''] = await makeSnapshots(2)
    await writeFile(listPath(), `${first}\n`)
    await writeFile(join(folder, 'unfinished'), '')
    expect(await verify()).toMatchObject({ code: 0 })
    expect(await backUp()).toMatchObject({ code: 0 })
    expect(await readFile(listPath(), 'utf8')).toContain(second)
  })
})
