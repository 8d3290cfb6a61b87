/** Downloads of files from the terminal. */
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildFile, buildFolder } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { answerJson, describeFile, sendBytes, startOddServer } from './odd-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli, startCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))

/** The server holds `/Docs/a.bin` and `/b.txt`. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const form = { name: 'a.bin', parent_id: docs.id, modified_at: '2018-02-03T04:05:06.000Z' }
  const file = await buildFile(opened.user, form, bytes)
  await buildFile(opened.user, { name: 'b.txt' }, 'bee')
  return { ...opened, docs, file }
}

describe('download', () => {
  test('saves a file in the current folder with its content and its modification time', async () => {
    const { terminal } = await openExample()
    const { code, stdout, stderr } = await runCli(terminal, ['download', '/Docs/a.bin'])
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '     SIZE  SAVED AS\n292.97 KB  a.bin', stderr: '' })
    expect(bytes.equals(await readFile(terminal.path('a.bin')))).toBe(true)
    expect((await stat(terminal.path('a.bin'))).mtime.toISOString()).toBe('2018-02-03T04:05:06.000Z')
    expect(await terminal.names()).toEqual(['a.bin'])
  })

  test('prints the item with --json', async () => {
    const { terminal, file } = await openExample()
    const { stdout } = await runCli(terminal, ['download', `id:${file.id}`, 'here.bin', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ id: file.id, sha256: file.sha256 })
    expect(await terminal.names()).toEqual(['here.bin'])
  })

  test('saves several files into a folder', async () => {
    const { terminal } = await openExample()
    await mkdir(terminal.path('into'))
    const { code, stdout } = await runCli(terminal, ['download', '/Docs/a.bin', '/b.txt', 'into'])
    expect(code).toBe(0)
    expect(stdout).toContain('into/b.txt')
    expect(await readFile(terminal.path('into/b.txt'), 'utf8')).toBe('bee')
  })

  test('writes only the content to standard output', async () => {
    const { terminal } = await openExample()
    const { exitCode, stdout } = await startCli(terminal, ['download', '/Docs/a.bin', '-'], { encoding: 'buffer' })
    expect(exitCode).toBe(0)
    expect(bytes.equals(stdout)).toBe(true)
  })

  test('replaces an existing file, keeps its mode, and follows a link to it', async () => {
    const { terminal } = await openExample()
    await writeFile(terminal.path('real.txt'), 'old')
    await chmod(terminal.path('real.txt'), 0o640)
    await symlink('real.txt', terminal.path('b.txt'))
    expect((await runCli(terminal, ['download', '/b.txt'])).code).toBe(0)
    expect(await readFile(terminal.path('real.txt'), 'utf8')).toBe('bee')
    expect((await stat(terminal.path('real.txt'))).mode & 0o777).toBe(0o640)
    expect(await terminal.names()).toEqual(['b.txt', 'real.txt'])
  })

  test('keeps a mode that the umask would not allow for a new file', async () => {
    const { terminal } = await openExample()
    await writeFile(terminal.path('b.txt'), 'old')
    await chmod(terminal.path('b.txt'), 0o666)
    expect((await runCli(terminal, ['download', '/b.txt'])).code).toBe(0)
    expect((await stat(terminal.path('b.txt'))).mode & 0o777).toBe(0o666)
  })

  test('leaves a file with the same content as it is, says so, and lists it', async () => {
    const { terminal, file } = await openExample()
    await writeFile(terminal.path('a.bin'), bytes)
    const { ino } = await stat(terminal.path('a.bin'))
    const { code, stdout, stderr } = await runCli(terminal, ['download', '/Docs/a.bin', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 file was there already' })
    expect(JSON.parse(stdout)).toMatchObject({ id: file.id, name: 'a.bin' })
    expect((await stat(terminal.path('a.bin'))).ino).toBe(ino)
  })

  test('replaces a file of the same size with other content', async () => {
    const { terminal } = await openExample()
    await writeFile(terminal.path('b.txt'), 'BEE')
    const { stderr } = await runCli(terminal, ['download', '/b.txt'])
    expect(stderr).toBe('')
    expect(await readFile(terminal.path('b.txt'), 'utf8')).toBe('bee')
  })

  test('looks up a path only once', async () => {
    const { terminal, requests } = await startOddServer({
      'GET /api/files/by-path': (_request, response) => answerJson(response, { file: describeFile('a.bin', bytes) }),
      'GET /api/files/7/download': (_request, response) => sendBytes(response, bytes),
    })
    expect((await runCli(terminal, ['download', '/a.bin'])).code).toBe(0)
    expect(requests).toEqual(['GET /api/files/by-path', 'GET /api/files/7/download'])
  })

  test('saves an empty file', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await buildFile(user, { name: 'empty' }, '')
    expect((await runCli(terminal, ['download', '/empty'])).code).toBe(0)
    expect((await stat(terminal.path('empty'))).size).toBe(0)
  })
})

describe('download that fails', () => {
  test('ends with code 4 for an unknown path, after it has tried all others', async () => {
    const { terminal } = await openExample()
    const { code, stdout, stderr } = await runCli(terminal, ['download', '/none', '/b.txt', '.', '--json'])
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'b.txt' }])
    expect(stderr).toContain("There is no '/none' on the server")
    expect(await terminal.names()).toEqual(['b.txt'])
  })

  test('ends with code 2 for a folder to standard output, and names --zip', async () => {
    const { terminal } = await openExample()
    for (const path of ['/Docs', '/']) {
      const { code, stdout, stderr } = await runCli(terminal, ['download', path, '-'])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('--zip')
    }
  })

  test('does not replace the first of two files with the same name', async () => {
    const { user, terminal } = await openExample()
    await buildFile(user, { name: 'a.bin' }, 'other')
    const { code } = await runCli(terminal, ['download', '/Docs/a.bin', '/a.bin', '.'])
    expect(code).toBe(5)
    expect(bytes.equals(await readFile(terminal.path('a.bin')))).toBe(true)
  })

  test('ends with code 3 for a key without the permission', async () => {
    const { terminal } = await openUserTerminal(server, {}, ['files:upload'])
    expect((await runCli(terminal, ['download', '/b.txt'])).code).toBe(3)
  })

  test.each([
    ['a local folder that does not exist', ['download', '/b.txt', 'none/']],
    ['a local path in a folder that does not exist', ['download', '/b.txt', 'none/b.txt']],
    ['several files without a folder for them', ['download', '/b.txt', '/Docs/a.bin']],
    ['a device as the target', ['download', '/b.txt', '/dev/null']],
    ['content and JSON on the same output', ['download', '/b.txt', '-', '--json']],
    ['nothing to download', ['download']],
  ])('ends with code 2 for %s', async (_what, args) => {
    const { terminal } = await openExample()
    const { code, stdout } = await runCli(terminal, args)
    expect({ code, stdout, names: await terminal.names() }).toEqual({ code: 2, stdout: '', names: [] })
  })
})
