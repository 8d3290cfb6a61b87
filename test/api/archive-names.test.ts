/** Names in archives: safe on every system, and still apart. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listArchive, needProgram, openFolder, saveArchive } from '../support/archives.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer, type TestServer } from '../support/server.ts'

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

describe('hostile names in an archive', () => {
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

  test('become safe and stay apart, and nothing is written outside', async context => {
    needProgram('unzip', context)
    const folder = await buildFolder(user)
    for (const name of hostile) await buildFile(user, { name, parent_id: folder.id }, name)
    const file = await saveArchive(await ofFolder(folder.id))
    const entries = await listArchive(file)
    expect(new Set(entries.map(({ content }) => content))).toEqual(new Set(hostile))
    const names = entries.map(({ name }) => name)
    expect(new Set(names).size).toBe(hostile.length)
    for (const name of names) {
      expect(name).not.toMatch(/[\\/]|^[a-z]:|[. ]$|^(nul|con|aux|lpt1)\s*(\.|$)/i)
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255)
    }
    expect(names).toEqual(
      expect.arrayContaining(['a_b', 'a_b (1)', 'a_b (2)', 'ends_', 'ends_ (1)', '_NUL', '_con.txt']),
    )
    for (const [program, argumentsOf] of [
      ['unzip', (to: string) => ['-q', file, '-d', to]],
      ['python3', (to: string) => ['-m', 'zipfile', '-e', file, to]],
    ] as const) {
      const outer = await openFolder()
      await mkdir(join(outer, 'in'))
      await execa(program, argumentsOf(join(outer, 'in')))
      expect(await readdir(outer)).toEqual(['in'])
      expect((await readdir(join(outer, 'in'))).sort()).toEqual([...names].sort())
    }
  })

  test('are safe as folders and at the top too', async () => {
    const [one, two] = [await buildFolder(user, '..\\up'), await buildFolder(user, '.. ')]
    await buildFile(user, { name: 'x', parent_id: one.id })
    expect(await namesOf(await ofItems([one.id, two.id]))).toEqual(['.._up/', '.._up/x', '___/'])
    const file = await buildFile(user, { name: 'a:b\\c' })
    const other = await buildFile(user, { name: 'a_b_c' })
    expect(await namesOf(await ofItems([file.id, other.id]))).toEqual(['a_b_c', 'a_b_c (1)'])
  })
})
