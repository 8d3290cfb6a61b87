/** Listing folders from the terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tagFiles } from '../../src/api/tags.ts'
import { buildFile, buildFolder, buildKey, buildTag, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, runCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** `/Docs` holds `b 2.txt` (1 byte), `b 10.txt` (2 bytes) and the folder `Sub`. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  await buildFolder(opened.user, 'Sub', docs.id)
  const small = await buildFile(opened.user, { name: 'b 2.txt', parent_id: docs.id }, '1')
  await buildFile(opened.user, { name: 'b 10.txt', parent_id: docs.id }, '22')
  return { ...opened, docs, small }
}

describe('ls', () => {
  test('prints a table with folders first and numbers in numeric order', async () => {
    const { terminal } = await openExample()
    const { code, stdout, stderr } = await runCli(terminal, ['ls', '/Docs'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    const lines = stdout.split('\n').map(line => line.replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'TIME'))
    expect(lines).toEqual([
      '   SIZE  CHANGED           NAME',
      '      -  TIME  Sub/',
      '1 Bytes  TIME  b 2.txt',
      '2 Bytes  TIME  b 10.txt',
    ])
  })

  test('adds ids, kinds, statuses and tags with -l', async () => {
    const { user, terminal, small } = await openExample()
    for (const name of ['Bills', '2024']) {
      const tag = await buildTag(user, name)
      await user.call(tagFiles, { tag_id: tag.id, file_ids: [small.id] })
    }
    const { stdout } = await runCli(terminal, ['ls', '-l', '/Docs'])
    expect(stdout).toMatch(/^ *ID +KIND +STATUS +SIZE +CHANGED +NAME \[TAGS\]$/m)
    expect(stdout).toMatch(
      new RegExp(`^ *${small.id} +document +approved +1 Bytes .* b 2\\.txt \\[2024, Bills\\]$`, 'm'),
    )
    expect(stdout).toMatch(/^ *\d+ +folder +- +- .* Sub\/$/m)
  })

  test('sorts by --sort, and backwards with --reverse', async () => {
    const { terminal } = await openExample()
    const { stdout } = await runCli(terminal, ['ls', '/Docs', '--sort', 'size', '--reverse', '--json'])
    expect(JSON.parse(stdout).map((item: { name: string }) => item.name)).toEqual(['Sub', 'b 10.txt', 'b 2.txt'])
  })

  test("prints one JSON list with the API's fields", async () => {
    const { terminal, docs, small } = await openExample()
    const items = JSON.parse((await runCli(terminal, ['ls', '/Docs/', '--json'])).stdout)
    expect(items).toHaveLength(3)
    expect(items[1]).toMatchObject({ id: small.id, path: '/Docs/b 2.txt', parent_id: docs.id, is_directory: false })
  })

  test('for a file lists that file, by path or by id', async () => {
    const { terminal, small } = await openExample()
    for (const path of ['Docs/../Docs//b 2.txt', `id:${small.id}`]) {
      expect(JSON.parse((await runCli(terminal, ['ls', path, '--json'])).stdout)).toMatchObject([{ id: small.id }])
    }
  })

  test('for an empty folder prints only a message on standard error', async () => {
    const { terminal } = await openUserTerminal(server)
    expect(await runCli(terminal, ['ls'])).toEqual({ code: 0, stdout: '', stderr: 'This folder is empty' })
    expect((await runCli(terminal, ['ls', '--json'])).stdout).toBe('[]')
  })

  test('for the empty folder of a key for one folder prints the same message', async () => {
    const user = await buildUser(server)
    const scope = await buildFolder(user, 'Scope')
    const key = await buildKey(server, user, ['files:read'], 'script', { scope_id: scope.id })
    const terminal = await openTerminal({
      FILESTORE_URL: server.url,
      FILESTORE_API_KEY_ID: key.keyId,
      FILESTORE_API_SECRET: key.secret,
    })
    expect(await runCli(terminal, ['ls'])).toEqual({ code: 0, stdout: '', stderr: 'This folder is empty' })
  })

  test('does not find files of another user', async () => {
    const { small } = await openExample()
    const other = await openUserTerminal(server)
    expect((await runCli(other.terminal, ['ls', `id:${small.id}`])).code).toBe(4)
  })

  test.each(['/none', '/Docs/none', 'id:999999', '/Docs/b 2.txt/'])(
    'ends with code 4 for the unknown path %s',
    async path => {
      const { terminal } = await openExample()
      const { code, stdout, stderr } = await runCli(terminal, ['ls', path])
      expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
      expect(stderr).toContain(path)
    },
  )

  test.each([
    ['an unknown sort order', ['ls', '--sort', 'colour']],
    ['an unknown option', ['ls', '--colour']],
    ['too many paths', ['ls', '/', '/Docs']],
    ['an empty path', ['ls', '']],
    ['a profile name that is a path', ['ls', '--profile', '../x']],
  ])('ends with code 2 for %s', async (_what, args) => {
    const { terminal } = await openUserTerminal(server)
    const { code, stdout } = await runCli(terminal, args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })
})
