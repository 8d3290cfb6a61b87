/** Finding files from the terminal: tree, search and statistics. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect, readPages } from '../../cli/pages.ts'
import { maxPages } from '../../src/api/limits.ts'
import { tagFiles } from '../../src/api/tags.ts'
import { signIn } from '../support/client.ts'
import { buildChain, buildField, buildFile, buildFolder, buildTag } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { answerPage, describeFile, startOddServer } from './odd-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli, type Terminal } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** `/Docs` holds `a.txt`, and `Sub` with `deep.txt`. `/photo.png` is in the root. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const sub = await buildFolder(opened.user, 'Sub', docs.id)
  await buildFile(opened.user, { name: 'deep.txt', parent_id: sub.id }, '1')
  const a = await buildFile(opened.user, { name: 'a.txt', parent_id: docs.id }, '22')
  await buildFile(opened.user, { name: 'photo.png' }, '333')
  return { ...opened, docs, a }
}

const namesOf = (stdout: string): string[] => JSON.parse(stdout).map((item: { name: string }) => item.name)

async function findNames(terminal: Terminal, ...args: string[]): Promise<string[]> {
  const { code, stdout } = await runCli(terminal, ['search', ...args, '--json'])
  expect(code).toBe(0)
  return namesOf(stdout)
}

describe('tree', () => {
  test('draws a folder with everything below it, and counts', async () => {
    const { terminal } = await openExample()
    const { code, stdout } = await runCli(terminal, ['tree'])
    expect(code).toBe(0)
    expect(stdout.split('\n')).toEqual([
      '/',
      '├── Docs/',
      '│   ├── Sub/',
      '│   │   └── deep.txt',
      '│   └── a.txt',
      '└── photo.png',
      '',
      '2 folders, 3 files, 6 Bytes',
    ])
  })

  test('stops at the level given by --depth', async () => {
    const { terminal } = await openExample()
    const { stdout } = await runCli(terminal, ['tree', 'Docs', '--depth', '1'])
    expect(stdout.split('\n')).toEqual(['/Docs/', '├── Sub/', '└── a.txt', '', '1 folder, 1 file, 2 Bytes'])
  })

  test('prints one list of items with --json, each folder directly before its contents', async () => {
    const { terminal } = await openExample()
    const { stdout } = await runCli(terminal, ['tree', '--json'])
    expect(namesOf(stdout)).toEqual(['Docs', 'Sub', 'deep.txt', 'a.txt', 'photo.png'])
  })

  test('reaches the bottom of a deep tree', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const chain = await buildChain(user, 40)
    expect((await runCli(terminal, ['tree', `id:${chain[0]}`])).stdout).toMatch(/^39 folders, 0 files, 0 Bytes$/m)
  })

  test.each([
    ['a folder inside itself', () => 7, 'came twice'],
    [
      'new folders inside each other without end',
      (count: number) => 7 + count,
      'more than 100 folders inside each other',
    ],
  ])('ends with code 1 when a server lists %s', async (_what, idOf, words) => {
    let count = 0
    const { terminal, requests } = await startOddServer({
      'GET /api/files': (_request, response) => {
        const folder = { ...describeFile('inner', Buffer.from('')), id: idOf(count++), is_directory: true }
        answerPage(response, { folders: [folder] })
      },
    })
    const { code, stderr } = await runCli(terminal, ['tree'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(words) })
    expect(requests.length).toBeLessThan(110)
  })

  const one = [describeFile('a', Buffer.from('1'))]

  test.each([
    ['the same page again and again', one, () => 'same', 'a page comes after itself'],
    ['empty pages without end', [], (count: number) => `${count}`, 'nothing is on a page'],
  ])('ends with code 1 when a server sends %s', async (_what, files, cursorOf, words) => {
    let count = 0
    const { terminal } = await startOddServer({
      'GET /api/files': (_request, response) => {
        count += 1
        // A server without this limit would keep a wrong client here forever.
        answerPage(response, { files, next_cursor: count < 100 ? cursorOf(count) : null })
      },
    })
    const { code, stderr } = await runCli(terminal, ['tree'])
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('a list without end') })
    expect(stderr).toContain(words)
    expect(count).toBeLessThan(3)
  })

  test('stops after the largest number of pages that a list may have', async () => {
    let count = 0
    const readPage = async () => {
      count += 1
      return { files: [count], next_cursor: count < 20_000 ? `${count}` : null }
    }
    await expect(collect(readPages(readPage))).rejects.toThrow('a list without end')
    expect(count).toBe(maxPages)
  })

  test('reads all pages of a folder', async () => {
    const pages = [describeFile('a', Buffer.from('1')), describeFile('b', Buffer.from('2'))]
    const { terminal } = await startOddServer({
      'GET /api/files': ({ url = '' }, response) => {
        const second = url.includes('cursor=more')
        const files = pages.slice(second ? 1 : 0, second ? 2 : 1)
        answerPage(response, { files, next_cursor: second ? null : 'more' })
      },
    })
    expect((await runCli(terminal, ['tree'])).stdout).toBe('/\n├── a\n└── b\n\n0 folders, 2 files, 2 Bytes')
  })

  test.each([
    ['an unknown path', ['tree', '/none'], 4],
    ['a file', ['tree', '/photo.png'], 2],
    ['a depth of 0', ['tree', '--depth', '0'], 2],
  ])('refuses %s', async (_what, args, code) => {
    const { terminal } = await openExample()
    const outcome = await runCli(terminal, args)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
  })
})

describe('search', () => {
  test('finds files by part of their name, and prints a table with paths', async () => {
    const { terminal } = await openExample()
    const { code, stdout } = await runCli(terminal, ['search', 'EEP'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ *SIZE +CHANGED +PATH\n1 Bytes +\d{4}-\d\d-\d\d \d\d:\d\d +\/Docs\/Sub\/deep\.txt$/)
  })

  test('ends with code 0 when nothing is found', async () => {
    const { terminal } = await openExample()
    expect(await runCli(terminal, ['search', 'nothing'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No files found',
    })
    expect(await findNames(terminal, 'nothing')).toEqual([])
  })

  test('filters by kind, size, date, status, tag and folder', async () => {
    const { user, terminal, docs, a } = await openExample()
    for (const name of ['my.txt', 'my.png', 'my-large.txt']) {
      await buildFile(user, { name, parent_id: docs.id }, name.padEnd(name === 'my-large.txt' ? 2000 : 10))
    }
    const outside = await buildFile(user, { name: 'my-outside.txt' }, '1')
    const tag = await buildTag(user, 'Work')
    await user.call(tagFiles, { tag_id: tag.id, file_ids: [outside.id, a.id] })
    expect(await findNames(terminal, 'my.', '--type', 'image')).toEqual(['my.png'])
    expect(await findNames(terminal, 'my.', '--type', 'text/plain')).toEqual(['my.txt'])
    expect(await findNames(terminal, 'my-', '--min-size', '1.5KB')).toEqual(['my-large.txt'])
    expect(await findNames(terminal, 'my-', '--max-size', '1KB')).toEqual(['my-outside.txt'])
    expect(await findNames(terminal, 'my-', '--to', '2001-01-01')).toEqual([])
    expect(await findNames(terminal, 'my-', '--from', '2001-01-01')).toHaveLength(2)
    expect(await findNames(terminal, 'my-', '--status', 'pending')).toEqual([])
    for (const name of ['Work', `id:${tag.id}`]) {
      expect(await findNames(terminal, 'my-', '--tag', name)).toEqual(['my-outside.txt'])
    }
    expect(await findNames(terminal, 'my-', '--in', '/Docs')).toEqual(['my-large.txt'])
    expect(await findNames(terminal, 'my-', '--in', '/')).toHaveLength(2)
  })

  test('filters by metadata, also by several values at once', async () => {
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const [color, size] = [await buildField(admin), await buildField(admin)]
    const { user, terminal } = await openUserTerminal(server)
    const fields = { [color.name]: color.id, [size.name]: size.id }
    const valuesOf = (values: Record<string, string>) =>
      Object.entries(values).map(([name, value]) => ({ field_id: fields[name] ?? 0, value }))
    await buildFile(user, { name: 'one.txt', metadata: valuesOf({ [color.name]: 'red', [size.name]: 'small' }) })
    await buildFile(user, { name: 'two.txt', metadata: valuesOf({ [color.name]: 'red' }) })
    expect(await findNames(terminal, 'txt', '--meta', `${color.name}:red`)).toHaveLength(2)
    const both = ['--meta', `${color.name}:red`, '--meta', `${size.name}:small`]
    expect(await findNames(terminal, 'txt', ...both)).toEqual(['one.txt'])
    expect((await runCli(terminal, ['search', 'txt', '--meta', 'nix:red'])).code).toBe(2)
  })

  test('shows as many results as --limit allows, and says on standard error that there are more', async () => {
    const { user, terminal } = await openUserTerminal(server)
    for (const name of ['same 1', 'same 2', 'same 3']) await buildFile(user, { name })
    const { stdout, stderr } = await runCli(terminal, ['search', 'same', '--limit', '2', '--json'])
    expect(namesOf(stdout)).toEqual(['same 3', 'same 2'])
    expect(stderr).toContain('--limit')
    expect((await runCli(terminal, ['search', 'same', '--limit', '3'])).stderr).toBe('')
  })

  test.each([
    ['a text of one character', ['search', 'a'], 2],
    ['a search without a text', ['search'], 2],
    ['a size with an unknown unit', ['search', 'abc', '--min-size', '5 apples'], 2],
    ['an invalid date', ['search', 'abc', '--from', 'yesterday'], 2],
    ['an unknown status', ['search', 'abc', '--status', 'lost'], 2],
    ['an unknown type', ['search', 'abc', '--type', 'holograms'], 2],
    ['a limit of 0', ['search', 'abc', '--limit', '0'], 2],
    ['an unknown tag', ['search', 'abc', '--tag', 'none'], 4],
    ['an unknown folder', ['search', 'abc', '--in', '/none'], 4],
    ['a file instead of a folder', ['search', 'abc', '--in', '/photo.png'], 4],
  ])('refuses %s', async (_what, args, code) => {
    const { terminal } = await openExample()
    const outcome = await runCli(terminal, args)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
  })

  test('ends with code 3 for a key without the permission', async () => {
    const { terminal } = await openUserTerminal(server, {}, ['files:read'])
    expect((await runCli(terminal, ['search', 'abc'])).code).toBe(3)
  })
})

describe('stats', () => {
  test('prints the totals and the newest files', async () => {
    const { terminal } = await openExample()
    const { code, stdout } = await runCli(terminal, ['stats'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Files +3\nFolders +2\nSize +6 Bytes\n/)
    expect(stdout).toMatch(/^3 Bytes +2 +document$/m)
    expect(stdout).toMatch(/^3 Bytes .* \/photo\.png$/m)
  })

  test("prints the API's document with --json, also for an empty space", async () => {
    const { terminal } = await openUserTerminal(server)
    const { stdout } = await runCli(terminal, ['stats', '--json'])
    expect(JSON.parse(stdout)).toEqual({ total_files: 0, total_folders: 0, by_kind: [], recent_files: [] })
    expect((await runCli(terminal, ['stats'])).stdout).toBe('Files    0\nFolders  0\nSize     0 Bytes')
  })
})
