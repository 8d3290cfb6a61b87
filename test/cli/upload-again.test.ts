/** Uploads from the terminal: files that are skipped, --dry-run, --metadata and parallel uploads. */
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFileByPath, listFiles } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { decideFile } from '../../src/api/validation.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildFolder,
  buildReviewer,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { answerNothing, startOddServer } from './odd-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli, type Terminal } from './terminal.ts'

let server: TestServer
let admin: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await buildUser(server, { role: 'admin' })
})
afterAll(() => server.close())

const pathsOf = async (user: BuiltUser, parentId: number | null = null): Promise<string[]> => {
  const { folders, files } = await user.call(listFiles, { parent_id: parentId })
  return [...folders, ...files].map(({ path }) => path)
}

/** Makes `tree/a.txt`, `tree/b.txt` and `tree/inner/c.txt`. */
async function openTree(): Promise<{ user: BuiltUser; terminal: Terminal }> {
  const opened = await openUserTerminal(server)
  await mkdir(opened.terminal.path('tree/inner'), { recursive: true })
  for (const name of ['a.txt', 'b.txt', 'inner/c.txt']) await writeFile(opened.terminal.path(`tree/${name}`), name)
  return opened
}

describe('upload of files that are already on the server', () => {
  test('skips files with the same name and content, and says so', async () => {
    const { user, terminal } = await openTree()
    await runCli(terminal, ['upload', 'tree'])
    await writeFile(terminal.path('tree/b.txt'), 'other bytes')
    await writeFile(terminal.path('tree/inner/d.txt'), 'new')
    const { code, stdout, stderr } = await runCli(terminal, ['upload', 'tree', '--on-conflict', 'replace', '--json'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '2 files were there already' })
    const items: FileItem[] = JSON.parse(stdout)
    expect(items.map(({ path }) => path)).toEqual([
      '/tree',
      '/tree/a.txt',
      '/tree/b.txt',
      '/tree/inner',
      '/tree/inner/c.txt',
      '/tree/inner/d.txt',
    ])
    const { file } = await user.call(getFileByPath, { path: '/tree/b.txt' })
    expect(file.size).toBe('other bytes'.length)
  })

  test('makes no second copy of a single file', async () => {
    const { user, terminal } = await openTree()
    for (const notice of ['', '1 file was there already']) {
      const { code, stdout, stderr } = await runCli(terminal, ['upload', 'tree/a.txt'])
      expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '   SIZE  PATH\n5 Bytes  /a.txt', stderr: notice })
    }
    expect(await pathsOf(user)).toEqual(['/a.txt'])
  })

  test('sends a file of the same size with other content', async () => {
    const { user, terminal } = await openTree()
    await buildFile(user, { name: 'a.txt' }, 'A.TXT')
    await runCli(terminal, ['upload', 'tree/a.txt'])
    expect(await pathsOf(user)).toEqual(['/a (1).txt', '/a.txt'])
  })

  test('sends the file when the key may upload but not read', async () => {
    const { user, terminal } = await openUserTerminal(server, {}, ['files:upload'])
    await buildFile(user, { name: 'a.txt' }, 'same')
    await writeFile(terminal.path('a.txt'), 'same')
    expect((await runCli(terminal, ['upload', 'a.txt'])).code).toBe(0)
    expect(await pathsOf(user)).toEqual(['/a (1).txt', '/a.txt'])
  })

  test('sends a rejected file again', async () => {
    const { user, terminal } = await openTree()
    const reviewer = await buildReviewer(server)
    await turnSettings(admin, { validation_enabled: true })
    const sent: FileItem = JSON.parse((await runCli(terminal, ['upload', 'tree/a.txt', '--json'])).stdout)
    await reviewer.call(decideFile, { file_id: sent.id, status: 'rejected', comment: 'Blurred' })
    const again = ['upload', 'tree/a.txt', '--on-conflict', 'replace', '--json']
    const { stdout } = await runCli(terminal, again)
    expect(JSON.parse(stdout)).toMatchObject({ id: sent.id, validation_status: 'pending' })
    await reviewer.call(decideFile, { file_id: sent.id, status: 'approved' })
    await turnSettings(admin, { validation_enabled: false })
    expect((await runCli(terminal, again)).stderr).toBe('1 file was there already')
    expect(await pathsOf(user)).toEqual(['/a.txt'])
  })
})

describe('upload --dry-run', () => {
  test('prints what would happen to each item, and changes nothing', async () => {
    const { user, terminal } = await openTree()
    const tree = await buildFolder(user, 'tree')
    await buildFile(user, { name: 'a.txt', parent_id: tree.id }, 'a.txt')
    await buildFile(user, { name: 'b.txt', parent_id: tree.id }, 'other')
    const { code, stdout } = await runCli(terminal, ['upload', 'tree', '--dry-run'])
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      'ACTION      SIZE  PATH',
      'skip     5 Bytes  /tree/a.txt',
      'rename   5 Bytes  /tree/b.txt',
      'create         -  /tree/inner',
      'upload  11 Bytes  /tree/inner/c.txt',
    ])
    expect(await pathsOf(user, tree.id)).toEqual(['/tree/a.txt', '/tree/b.txt'])
  })

  test('prints a list of actions with --json', async () => {
    const { user, terminal } = await openTree()
    const { stdout } = await runCli(terminal, ['upload', 'tree', '-n', '--json'])
    expect(JSON.parse(stdout)).toEqual([
      { action: 'create', path: '/tree', size: null },
      { action: 'upload', path: '/tree/a.txt', size: 5 },
      { action: 'upload', path: '/tree/b.txt', size: 5 },
      { action: 'create', path: '/tree/inner', size: null },
      { action: 'upload', path: '/tree/inner/c.txt', size: 11 },
    ])
    expect(await pathsOf(user)).toEqual([])
  })
})

describe('upload --metadata', () => {
  test('sets the values on each file, by the names of the fields', async () => {
    const field = await buildField(admin, { name: 'project', label: 'Project' })
    await turnSettings(admin, { metadata_enabled: true })
    const { user, terminal } = await openTree()
    const { code } = await runCli(terminal, ['upload', 'tree', '-m', 'project=Moon = 1'])
    expect(code).toBe(0)
    for (const path of ['/tree/a.txt', '/tree/inner/c.txt']) {
      const { file } = await user.call(getFileByPath, { path })
      expect(file.metadata).toMatchObject([{ field_id: field.id, value: 'Moon = 1' }])
    }
  })

  test('sets the values on a file whose content is already on the server', async () => {
    const field = await buildField(admin, { name: 'client', label: 'Client' })
    await turnSettings(admin, { metadata_enabled: true })
    const { user, terminal } = await openTree()
    await runCli(terminal, ['upload', 'tree/a.txt'])
    const { stdout, stderr } = await runCli(terminal, ['upload', 'tree/a.txt', '-m', 'client=Anna', '--json'])
    expect(stderr).toBe('1 file was there already')
    expect(JSON.parse(stdout).metadata).toMatchObject([{ field_id: field.id, value: 'Anna' }])
    const { file } = await user.call(getFileByPath, { path: '/a.txt' })
    expect(file.metadata).toMatchObject([{ field_id: field.id, value: 'Anna' }])
  })

  test.each([
    ['an unknown field', 'colour=red', "There is no metadata field 'colour'"],
    ['text without a value', 'colour', 'write name=value'],
  ])('ends with code 2 for %s, and uploads nothing', async (_what, text, sentence) => {
    const { user, terminal } = await openTree()
    const { code, stderr } = await runCli(terminal, ['upload', 'tree', '--metadata', text])
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
    expect(await pathsOf(user)).toEqual([])
  })
})

describe('upload of many files', () => {
  test('sends at most as many files at once as --concurrency allows', async () => {
    let underWay = 0
    let most = 0
    const held: (() => void)[] = []
    const { terminal } = await startOddServer({
      'GET /api/files/by-path': answerNothing,
      'POST /api/files/upload': (request, response) => {
        request.resume()
        underWay += 1
        most = Math.max(most, underWay)
        held.push(() => {
          underWay -= 1
          response.writeHead(413).end()
        })
        // No further upload may start now, so release those that wait.
        if (underWay === 3) for (const release of held.splice(0)) release()
      },
    })
    const names = Array.from({ length: 9 }, (_, index) => `${index}.txt`)
    for (const name of names) await writeFile(terminal.path(name), 'x')
    const { code } = await runCli(terminal, ['upload', ...names, '--concurrency', '3'])
    expect({ code, most }).toEqual({ code: 6, most: 3 })
  })

  test('stops all uploads at once when the server goes away', async context => {
    onlyNightly(context)
    let isAway = false
    const { terminal } = await startOddServer({
      'GET /api/files/by-path': (request, response) =>
        isAway ? request.socket.destroy() : answerNothing(request, response),
      'POST /api/files/upload': ({ socket }) => {
        isAway = true
        socket.destroy()
      },
      'GET /api/auth/profile': ({ socket }) => socket.destroy(),
    })
    const names = Array.from({ length: 20 }, (_, index) => `${index}.txt`)
    for (const name of names) await writeFile(terminal.path(name), 'x')
    const { code, stderr } = await runCli(terminal, ['upload', ...names])
    expect(code).toBe(7)
    expect(stderr.split('\n').filter(line => line.startsWith('error:'))).toHaveLength(1)
  })

  test.each(['0', '17', '1.5', 'many'])('ends with code 2 for --concurrency %s', async count => {
    const { terminal } = await openTree()
    const { code, stderr } = await runCli(terminal, ['upload', 'tree', '--concurrency', count])
    expect(code).toBe(2)
    expect(stderr).toContain('from 1 to 16')
    expect(await readFile(terminal.path('tree/a.txt'), 'utf8')).toBe('a.txt')
  })
})
