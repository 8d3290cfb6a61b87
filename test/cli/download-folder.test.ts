/** Downloads of folders from the terminal, as folders and as ZIP files. */
import { mkdir, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileItem } from '../../src/api/items.ts'
import { listArchive } from '../support/archives.ts'
import { buildFile, buildFolder } from '../support/factories.ts'
import { plantFiles } from '../support/planted.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { answerJson, answerPage, describeFile, startOddServer } from './odd-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli, startCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** `/Docs` holds `a.txt`, the empty folder `Empty`, and `Deep/b.txt`. `/c.txt` is in the root. */
async function openTree() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const deep = await buildFolder(opened.user, 'Deep', docs.id)
  await buildFolder(opened.user, 'Empty', docs.id)
  await buildFile(opened.user, { name: 'a.txt', parent_id: docs.id }, 'A')
  await buildFile(opened.user, { name: 'b.txt', parent_id: deep.id }, 'BB')
  await buildFile(opened.user, { name: 'c.txt' }, 'CCC')
  return opened
}

describe('download of a folder', () => {
  test('saves all its contents, empty folders included, and prints a summary', async () => {
    const { terminal } = await openTree()
    const { code, stdout, stderr } = await runCli(terminal, ['download', '/Docs'])
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '   SIZE  SAVED AS\n3 Bytes  Docs/ (2 files)',
      stderr: '',
    })
    expect(await readFile(terminal.path('Docs/a.txt'), 'utf8')).toBe('A')
    expect(await readFile(terminal.path('Docs/Deep/b.txt'), 'utf8')).toBe('BB')
    await expect(readFile(terminal.path('Docs/Empty'))).rejects.toThrow('EISDIR')
  })

  test('repeated saves only the missing files, and lists all of them', async () => {
    const { terminal } = await openTree()
    await mkdir(terminal.path('Docs'))
    await writeFile(terminal.path('Docs/a.txt'), 'A')
    const { code, stdout, stderr } = await runCli(terminal, ['download', '/Docs', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '1 file was there already' })
    const items: FileItem[] = JSON.parse(stdout)
    expect(items.map(({ path }) => path).sort()).toEqual([
      '/Docs',
      '/Docs/Deep',
      '/Docs/Deep/b.txt',
      '/Docs/Empty',
      '/Docs/a.txt',
    ])
    const again = await runCli(terminal, ['download', '/Docs'])
    expect(again).toMatchObject({ code: 0, stderr: '2 files were there already' })
    expect(again.stdout).toContain('Docs/ (2 files)')
  })

  test('uses the given name when it does not exist, and goes into a folder that exists', async () => {
    const { terminal } = await openTree()
    await runCli(terminal, ['download', '/Docs', 'copy'])
    await runCli(terminal, ['download', '/Docs/Deep', 'copy'])
    expect(await readFile(terminal.path('copy/a.txt'), 'utf8')).toBe('A')
    expect(await terminal.names()).toEqual(['copy'])
    expect(await readFile(terminal.path('copy/Deep/b.txt'), 'utf8')).toBe('BB')
  })

  test('saves the whole root into a folder', async () => {
    const { terminal } = await openTree()
    const { stdout } = await runCli(terminal, ['download', '/', 'all', '--json'])
    const items: FileItem[] = JSON.parse(stdout)
    expect(items.map(({ path }) => path).sort()).toEqual([
      '/Docs',
      '/Docs/Deep',
      '/Docs/Deep/b.txt',
      '/Docs/Empty',
      '/Docs/a.txt',
      '/c.txt',
    ])
    expect(await readFile(terminal.path('all/c.txt'), 'utf8')).toBe('CCC')
  })

  test('saves 250 files from several pages', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const many = await buildFolder(user, 'many')
    await plantFiles(server, user, many.id, 250)
    expect((await runCli(terminal, ['download', '/many'])).code).toBe(0)
    const names = await readdir(terminal.path('many'))
    expect(names.length).toBe(250)
    const files = names.filter(name => name.endsWith('.pdf'))
    for (const name of files) expect(await readFile(terminal.path(`many/${name}`), 'utf8')).toBe('A planted file.\n')
    expect(files.length).toBe(225)
  })

  test('saves the other files when a folder is in the place of one, and ends with code 2', async () => {
    const { terminal } = await openTree()
    await mkdir(terminal.path('Docs/a.txt'), { recursive: true })
    const { code, stderr } = await runCli(terminal, ['download', '/Docs'])
    expect(code).toBe(2)
    expect(stderr).toContain('not a regular file')
    expect(await readFile(terminal.path('Docs/Deep/b.txt'), 'utf8')).toBe('BB')
  })

  test('ends with code 1 when a local file has the name of the folder', async () => {
    const { terminal } = await openTree()
    await writeFile(terminal.path('Docs'), 'mine')
    const { code, stderr } = await runCli(terminal, ['download', '/Docs'])
    expect(code).toBe(1)
    expect(stderr).toContain("Cannot make the folder 'Docs'")
    expect(await readFile(terminal.path('Docs'), 'utf8')).toBe('mine')
  })

  test('writes nothing outside the folder when a hostile server sends a path as a name', async () => {
    const folder = { ...describeFile('inner', Buffer.from('')), is_directory: true }
    const evil = { ...describeFile('../evil.txt', Buffer.from('x')), id: 8 }
    const { terminal } = await startOddServer({
      'GET /api/files/by-path': (_request, response) => answerJson(response, { file: folder }),
      'GET /api/files': (_request, response) => answerPage(response, { files: [evil] }),
    })
    const { code, stderr } = await runCli(terminal, ['download', '/inner'])
    expect(code).toBe(1)
    expect(stderr).toContain('cannot be a name on this machine')
    expect(await terminal.names()).toEqual(['inner'])
  })
})

describe('a symbolic link in the target folder', () => {
  test('stays and is not written through, and everything else is saved', async () => {
    const { terminal } = await openTree()
    await mkdir(terminal.path('Docs'))
    await mkdir(terminal.path('elsewhere'))
    await writeFile(terminal.path('elsewhere/mine.txt'), 'mine')
    await symlink('../elsewhere', terminal.path('Docs/Deep'))
    await symlink('../elsewhere/mine.txt', terminal.path('Docs/a.txt'))
    const { code, stderr } = await runCli(terminal, ['download', '/Docs'])
    expect(code).toBe(5)
    for (const path of ['Docs/Deep', 'Docs/a.txt']) expect(stderr).toContain(`'${path}' is a link and stays as it is`)
    expect(await readdir(terminal.path('elsewhere'))).toEqual(['mine.txt'])
    expect(await readFile(terminal.path('elsewhere/mine.txt'), 'utf8')).toBe('mine')
    expect(await readlink(terminal.path('Docs/Deep'))).toBe('../elsewhere')
    expect((await readdir(terminal.path('Docs'))).sort()).toEqual(['Deep', 'Empty', 'a.txt'])
  })

  test('stays when it has the name of the folder or of its archive', async () => {
    const { terminal } = await openTree()
    await mkdir(terminal.path('elsewhere'))
    await mkdir(terminal.path('target'))
    await symlink('../elsewhere', terminal.path('target/Docs'))
    await symlink('../elsewhere/Docs.zip', terminal.path('target/Docs.zip'))
    for (const args of [['/Docs'], ['/Docs', '--zip']]) {
      const { code, stderr } = await runCli(terminal, ['download', ...args, 'target'])
      expect({ code, stderr }).toMatchObject({ code: 5, stderr: expect.stringContaining('is a link') })
    }
    expect(await readdir(terminal.path('elsewhere'))).toEqual([])
  })

  test('is followed when it is the path on the command line', async () => {
    const { terminal } = await openTree()
    await mkdir(terminal.path('elsewhere'))
    await symlink('elsewhere', terminal.path('folder'))
    await writeFile(terminal.path('mine.txt'), 'mine')
    await symlink('mine.txt', terminal.path('link.txt'))
    expect((await runCli(terminal, ['download', '/Docs', 'folder'])).code).toBe(0)
    expect((await runCli(terminal, ['download', '/c.txt', 'link.txt'])).code).toBe(0)
    expect(await readFile(terminal.path('elsewhere/Docs/Deep/b.txt'), 'utf8')).toBe('BB')
    expect(await readFile(terminal.path('mine.txt'), 'utf8')).toBe('CCC')
  })
})

test('a folder that a hostile server lists inside itself ends the download with code 1', async () => {
  const folder = { ...describeFile('inner', Buffer.from('')), is_directory: true }
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (_request, response) => answerJson(response, { file: folder }),
    'GET /api/files': (_request, response) => answerPage(response, { folders: [folder] }),
  })
  const { code, stderr } = await runCli(terminal, ['download', '/inner'])
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('came twice') })
})

describe('download --zip', () => {
  test('saves a folder as a file of the same name', async () => {
    const { terminal } = await openTree()
    const { code, stdout } = await runCli(terminal, ['download', '--zip', '/Docs'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/Docs\.zip$/)
    const entries = await listArchive(terminal.path('Docs.zip'))
    expect(entries.find(({ name }) => name.endsWith('Deep/b.txt'))?.content).toBe('BB')
  })

  test('saves several items, or the whole root, under the given name', async () => {
    const { terminal } = await openTree()
    for (const remotes of [['/Docs', '/c.txt'], ['/']]) {
      const { code } = await runCli(terminal, ['download', '--zip', ...remotes, 'all.zip'])
      expect(code).toBe(0)
      const names = (await listArchive(terminal.path('all.zip'))).map(({ name }) => name)
      expect(names).toContain('c.txt')
      expect(names).toContain('Docs/a.txt')
    }
    expect(await terminal.names()).toEqual(['all.zip'])
  })

  test('writes the archive to standard output', async () => {
    const { terminal } = await openTree()
    const { stdout } = await startCli(terminal, ['download', '--zip', '/Docs', '-'], { encoding: 'buffer' })
    await writeFile(terminal.path('piped.zip'), stdout)
    expect((await listArchive(terminal.path('piped.zip'))).length).toBeGreaterThan(1)
  })

  test('leaves no file when the connection breaks, and ends with code 7', async () => {
    const folder = { ...describeFile('Docs', Buffer.from('')), is_directory: true }
    const { terminal } = await startOddServer({
      'GET /api/files/by-path': (_request, response) => answerJson(response, { file: folder }),
      'GET /api/files/7/archive': ({ socket }, response) => {
        response.writeHead(200, { 'content-type': 'application/zip' })
        response.write('PK half', () => socket.destroy())
      },
    })
    expect((await runCli(terminal, ['download', '--zip', '/Docs'])).code).toBe(7)
    expect(await terminal.names()).toEqual([])
  })

  test('ends with code 4 for an empty root', async () => {
    const { terminal } = await openUserTerminal(server)
    const { code, stderr } = await runCli(terminal, ['download', '--zip', '/'])
    expect(code).toBe(4)
    expect(stderr).toContain('nothing to put into the archive')
  })
})
