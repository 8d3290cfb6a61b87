/** Names in archives: safe on every system, and still distinct. */
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { plantEntries, plantFolder } from '../bench/plant.ts'
import { listArchive, needProgram, openFolder, saveArchive } from '../support/archives.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const ofFolder = (id: number) => user.raw(`/api/files/${id}/archive`)
const ofItems = (ids: unknown) =>
  user.raw('/api/files/archive', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids }),
  })
const namesOf = async (response: Response) => (await listArchive(await saveArchive(response))).map(({ name }) => name)

describe('names in an archive that are unsafe to unpack', () => {
  const hostile = [
    '..\\..\\escaped',
    '\\\\server\\share',
    'C:\\evil.exe',
    'c:relative',
    '.. ',
    '...',
    '. .',
    'NUL',
    'con.txt',
    'Lpt1 .log',
    'trailing dot.',
    'trailing space ',
    'a\\b',
    'a_b',
    'a_b (1)',
    'ends.',
    'ends_',
    `aux.${'x'.repeat(251)}`,
  ]

  /** A ZIP file with all of these names. */
  let file: string
  beforeAll(async () => {
    const folder = await buildFolder(user)
    for (const name of hostile) await buildFile(user, { name, parent_id: folder.id }, name)
    for (const name of ['..\\..\\folder', 'D:', '..  ']) {
      const inner = await buildFolder(user, name, folder.id)
      await buildFile(user, { name: '..\\x', parent_id: inner.id }, 'inside')
    }
    const outer = await mkdtemp(join(tmpdir(), 'filestore-hostile-'))
    file = join(outer, 'hostile.zip')
    await writeFile(file, Buffer.from(await (await ofFolder(folder.id)).arrayBuffer()))
    return () => rm(outer, { recursive: true })
  })

  test('are replaced by safe and distinct ones', async () => {
    const entries = await listArchive(file)
    const names = entries.map(({ name }) => name).filter(name => !name.includes('/'))
    expect(new Set(entries.map(({ content }) => content))).toEqual(new Set([...hostile, 'inside', null]))
    expect(names).toHaveLength(hostile.length)
    expect(new Set(names.map(name => name.toLowerCase())).size).toBe(hostile.length)
    for (const { name } of entries) {
      for (const part of name.replace(/\/$/, '').split('/')) {
        expect(part).not.toMatch(/[\\:]|^$|[. ]$|^(nul|con|aux|lpt1)\s*(\.|$)/i)
        expect(Buffer.byteLength(part)).toBeLessThanOrEqual(255)
      }
    }
    expect(names).toEqual(
      expect.arrayContaining(['a_b', 'a_b (1)', 'a_b (2)', 'ends_', 'ends_ (1)', '_NUL', '_con.txt']),
    )
  })

  /** The programs that people unpack with; of two commands for one program, the test takes the installed one. */
  const unpackers = [
    { title: 'unzip', programs: ['unzip'], argumentsOf: (to: string) => ['-q', file, '-d', to] },
    { title: '7-Zip', programs: ['7z', '7zz'], argumentsOf: (to: string) => ['x', '-y', `-o${to}`, file] },
    { title: 'bsdtar', programs: ['bsdtar'], argumentsOf: (to: string) => ['-xf', file, '-C', to] },
    // With -P, bsdtar does not protect itself against paths outside the folder.
    { title: 'bsdtar -P', programs: ['bsdtar'], argumentsOf: (to: string) => ['-xPf', file, '-C', to] },
    {
      title: "Python's zipfile",
      programs: ['python3'],
      argumentsOf: (to: string) => ['-m', 'zipfile', '-e', file, to],
    },
  ]
  test.for(unpackers)('stay inside the folder when $title unpacks them', async ({ programs, argumentsOf }, context) => {
    const program = needProgram(context, ...programs)
    const outer = await openFolder()
    await mkdir(join(outer, 'in'))
    await execa(program, argumentsOf(join(outer, 'in')), { cwd: join(outer, 'in') })
    expect(await readdir(outer)).toEqual(['in'])
    const unpacked = await readdir(join(outer, 'in'), { recursive: true, withFileTypes: true })
    const paths = unpacked.map(entry => {
      const path = relative(join(outer, 'in'), join(entry.parentPath, entry.name))
      return entry.isDirectory() ? `${path}/` : path
    })
    expect(unpacked.every(entry => entry.isDirectory() || entry.isFile())).toBe(true)
    expect(paths.sort()).toEqual((await listArchive(file)).map(({ name }) => name).sort())
  })

  test('are replaced for folders, and for items at the top, too', async () => {
    const [one, two] = [await buildFolder(user, '..\\up'), await buildFolder(user, '.. ')]
    await buildFile(user, { name: 'x', parent_id: one.id })
    expect(await namesOf(await ofItems([one.id, two.id]))).toEqual(['.._up/', '.._up/x', '___/'])
    const file = await buildFile(user, { name: 'a:b\\c' })
    const other = await buildFile(user, { name: 'a_b_c' })
    expect(await namesOf(await ofItems([file.id, other.id]))).toEqual(['a_b_c (1)', 'a_b_c'])
  })

  test('leave every chosen item its own name, and only equal names get numbers', async () => {
    const [one, two, three] = [await buildFolder(user), await buildFolder(user), await buildFolder(user)]
    const first = await buildFile(user, { name: 'f.txt', parent_id: one.id })
    const second = await buildFile(user, { name: 'f.txt', parent_id: two.id })
    const numbered = await buildFile(user, { name: 'f (1).txt', parent_id: three.id })
    const third = await buildFile(user, { name: 'f.txt', parent_id: three.id })
    const names = await namesOf(await ofItems([first.id, second.id, numbered.id, third.id]))
    expect(names).toEqual(['f.txt', 'f (2).txt', 'f (1).txt', 'f (3).txt'])
  })
})

describe('thousands of names that become equal', () => {
  /** How often a name is cut for a number; the spy sees this because the server runs in this process. */
  function countCuts() {
    const cuts = vi.spyOn(Intl.Segmenter.prototype, 'segment')
    onTestFinished(() => cuts.mockRestore())
    return () => cuts.mock.calls.length
  }

  /** Checks an archive with two readers and returns its names. */
  async function readNames(response: Response): Promise<string[]> {
    const file = await saveArchive(response)
    await execa('unzip', ['-tqq', file])
    return (await listArchive(file)).map(({ name }) => name)
  }

  test('in a folder are numbered with few tries for each', async context => {
    needProgram(context, 'unzip')
    const folder = await buildFolder(user)
    const count = 500
    // Every combination of the two characters, in names so long that a number shortens each of them.
    const nameOf = (index: number) =>
      `${'x'.repeat(240)}${index.toString(2).padStart(9, '0').replaceAll('0', '_').replaceAll('1', '\\')}.a`
    await plant(server, user, (db, owner) => plantEntries(db, owner, folder.id, count, nameOf))
    const cuts = countCuts()
    const names = await readNames(await ofFolder(folder.id))
    expect(cuts()).toBeLessThan(5 * count)
    expect(new Set(names).size).toBe(count)
    expect(names).toContain(`${nameOf(0)}/`)
  })

  test('chosen from many folders are numbered with few tries for each', async context => {
    needProgram(context, 'unzip')
    const count = 300
    const name = 'x'.repeat(255)
    const ids = await plant(server, user, async (db, owner) => {
      const chosen: number[] = []
      for (let index = 0; index < count; index++) {
        chosen.push(await plantFolder(db, owner, await plantFolder(db, owner, null, `apart ${index}`), name))
      }
      return chosen
    })
    const cuts = countCuts()
    const names = await readNames(await ofItems(ids))
    expect(cuts()).toBeLessThan(5 * count)
    const short = name.slice(' (299)'.length)
    expect(new Set(names).size).toBe(count)
    expect(names).toEqual(expect.arrayContaining([`${name}/`, `${name.slice(4)} (1)/`, `${short} (299)/`]))
  })
})
