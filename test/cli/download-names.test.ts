/** The local names of downloads: neither a server nor the maker of a link chooses what is written over. */
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLink } from '../../src/api/links.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { answerJson, answerPage, describeFile, sendBytes, startOddServer } from './odd-server.ts'
import { openTerminal, runCli, type Terminal } from './terminal.ts'

const evil = Buffer.from('evil')
const composed = 'caf\u00e9'

/** A server that answers every path with an item of this name, which holds `authorized_keys` if it is a folder. */
async function openHostile(name: string, isFolder = false, nameInside = 'authorized_keys') {
  const named = { ...describeFile(name, evil), is_directory: isFolder }
  const inside = { ...describeFile(nameInside, evil), id: 8 }
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (_request, response) => answerJson(response, { file: named }),
    'GET /api/files/7': (_request, response) => answerJson(response, { file: named }),
    'GET /api/files': (_request, response) => answerPage(response, { files: [inside] }),
    'GET /api/files/7/archive': (_request, response) => response.end(evil),
    'POST /api/files/archive': (_request, response) => response.end(evil),
    'GET /api/files/7/download': (_request, response) => sendBytes(response, evil),
    'GET /api/files/8/download': (_request, response) => sendBytes(response, evil),
  })
  return terminal
}

describe('a server that answers with another name than the path that was asked for', () => {
  test.each([
    ['a folder', ['/Docs'], '.ssh', true],
    ['a file', ['/f'], '.bashrc', false],
    ['a file below an id', ['id:3/f'], '.bashrc', false],
    ['a file whose name differs in case', ['/Readme'], 'README', false],
    ['several items', ['/f', '/g', '.'], '.bashrc', false],
    ['a ZIP file', ['--zip', '/f'], 'backup', false],
  ])('saves nothing for %s', async (_what, args, name, isFolder) => {
    const terminal = await openHostile(name, isFolder)
    const { code, stdout, stderr } = await runCli(terminal, ['download', ...args])
    expect({ code, stdout, names: await terminal.names() }).toEqual({ code: 1, stdout: '', names: [] })
    expect(stderr).toContain(`'${name}'`)
    expect(stderr).toContain('local path')
  })

  test('has no say where the local path is given', async () => {
    const terminal = await openHostile('.bashrc')
    expect((await runCli(terminal, ['download', '/f', 'here.txt'])).code).toBe(0)
    expect((await runCli(terminal, ['download', '/f', '-'])).stdout).toBe('evil')
    expect(await terminal.names()).toEqual(['here.txt'])
  })

  test('may send the composed form of what was typed, and names what is given by its id', async () => {
    const terminal = await openHostile(composed)
    expect((await runCli(terminal, ['download', `/${composed.normalize('NFD')}`])).code).toBe(0)
    expect(await terminal.names()).toEqual([composed])
    expect((await runCli(terminal, ['download', 'id:7'])).stderr).toContain('was there already')
  })
})

describe('a server that names an item itself, which was given by its id or is in the root,', () => {
  const cases = [
    ['a file', ['id:7'], false],
    ['a folder', ['id:7'], true],
    ['a ZIP file', ['--zip', 'id:7'], false],
    ['the root', ['/'], false],
    ['the ZIP file of a root with one item', ['--zip', '/'], false],
  ] as const

  test.each(cases)(
    'has no say in hidden files for %s, unless a local place is given',
    async (_what, args, isFolder) => {
      const terminal = await openHostile('.ssh', isFolder, '.ssh')
      const { code, stdout, stderr } = await runCli(terminal, ['download', ...args])
      expect({ code, stdout, names: await terminal.names() }).toEqual({ code: 2, stdout: '', names: [] })
      expect(stderr).toContain("'.ssh")
      expect(stderr).toContain("'.' for the current folder")
      expect((await runCli(terminal, ['download', ...args, '.'])).code).toBe(0)
      expect(await terminal.names()).toHaveLength(1)
    },
  )

  test.each(cases)(
    'replaces no file and no link for %s, unless a local place is given',
    async (_what, args, isFolder) => {
      const terminal = await openHostile('mine', isFolder, 'mine')
      await writeFile(terminal.path('precious'), 'mine!!')
      const name = args.some(arg => arg === '--zip') ? 'mine.zip' : 'mine'
      await symlink('precious', terminal.path(name))
      expect((await runCli(terminal, ['download', ...args])).code).toBe(5)
      await rm(terminal.path(name))
      if (isFolder) return
      await writeFile(terminal.path(name), 'mine!!')
      expect(await runCli(terminal, ['download', ...args])).toMatchObject({ code: 5, stdout: '' })
      for (const kept of ['precious', name]) expect(await readFile(terminal.path(kept), 'utf8')).toBe('mine!!')
      expect((await runCli(terminal, ['download', ...args, '.'])).code).toBe(0)
      expect(await readFile(terminal.path(name), 'utf8')).toBe('evil')
    },
  )
})

describe('a download by a link', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.close())

  /** Links to a file `name`, and to a folder of that name that holds the file `inside.txt`. */
  async function openLinks(name: string): Promise<{ file: string; folder: string; terminal: Terminal }> {
    const user = await buildUser(server)
    const outer = await buildFolder(user)
    const file = await buildFile(user, { name, parent_id: outer.id }, 'theirs')
    const folder = await buildFolder(user, name)
    await buildFile(user, { name: 'inside.txt', parent_id: folder.id }, 'theirs')
    await buildFile(user, { name: 'more.txt', parent_id: folder.id }, 'more')
    const addressOf = async ({ id }: { id: number }) =>
      `${server.url}${(await user.call(createLink, { item_id: id, level: 'view' })).link.url}`
    return { file: await addressOf(file), folder: await addressOf(folder), terminal: await openTerminal() }
  }

  test.each([
    ['file', []],
    ['folder', []],
    ['folder', ['--zip']],
  ] as const)('gives a %s no hidden name with %j, unless a local place is named', async (what, options) => {
    const { terminal, [what]: address } = await openLinks('.ssh')
    const { code, stdout, stderr } = await runCli(terminal, ['download', address, ...options])
    expect({ code, stdout, names: await terminal.names() }).toEqual({ code: 2, stdout: '', names: [] })
    expect(stderr).toContain("'.ssh")
    expect(stderr).toContain("'.' for the current folder")
    expect((await runCli(terminal, ['download', address, '.', ...options])).code).toBe(0)
    expect((await runCli(terminal, ['download', address, 'keys', ...options])).code).toBe(0)
    expect(await terminal.names()).toEqual([options.length > 0 ? '.ssh.zip' : '.ssh', 'keys'])
  })

  test('replaces no file that is in the way, unless a local place is named', async () => {
    const { terminal, file } = await openLinks('a.txt')
    await writeFile(terminal.path('a.txt'), 'mine!!')
    const { code, stdout, stderr } = await runCli(terminal, ['download', file])
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' })
    expect(stderr).toContain("'a.txt' is there already")
    expect(await readFile(terminal.path('a.txt'), 'utf8')).toBe('mine!!')
    expect((await runCli(terminal, ['download', file, '.'])).code).toBe(0)
    expect(await readFile(terminal.path('a.txt'), 'utf8')).toBe('theirs')
    expect((await runCli(terminal, ['download', file])).stderr).toBe('1 file was there already')
  })

  test('replaces no local link that leads nowhere', async () => {
    const { terminal, file } = await openLinks('a.txt')
    await symlink('none', terminal.path('a.txt'))
    expect((await runCli(terminal, ['download', file])).code).toBe(5)
    await expect(readFile(terminal.path('a.txt'))).rejects.toThrow('ENOENT')
  })

  test('adds to a folder that is there, and replaces nothing in it', async () => {
    const { terminal, folder } = await openLinks('src')
    await mkdir(terminal.path('src'))
    await writeFile(terminal.path('src/inside.txt'), 'mine!!')
    const { code, stdout, stderr } = await runCli(terminal, ['download', folder])
    expect({ code, stdout }).toEqual({ code: 5, stdout: expect.stringContaining('src/ (1 file)') })
    expect(stderr).toContain("'src/inside.txt' is there already")
    expect(await readFile(terminal.path('src/inside.txt'), 'utf8')).toBe('mine!!')
    expect(await readFile(terminal.path('src/more.txt'), 'utf8')).toBe('more')
  })

  test('replaces no ZIP file that is in the way', async () => {
    const { terminal, folder } = await openLinks('src')
    await writeFile(terminal.path('src.zip'), 'mine')
    expect((await runCli(terminal, ['download', '--zip', folder])).code).toBe(5)
    expect(await readFile(terminal.path('src.zip'), 'utf8')).toBe('mine')
    expect((await runCli(terminal, ['download', '--zip', folder, '.'])).code).toBe(0)
  })
})
