/** Tags and favorites from the terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFavorites } from '../../src/api/files.ts'
import { listTags } from '../../src/api/tags.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Builds `/Docs`, `/a.txt`, `/b.txt`, and the tag `Work`. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const a = await buildFile(opened.user, { name: 'a.txt' })
  const b = await buildFile(opened.user, { name: 'b.txt' })
  return { ...opened, docs, a, b, tag: await buildTag(opened.user, 'Work', '#10B981') }
}

const tagsOf = async (user: BuiltUser) => (await user.call(listTags, {})).tags.map(({ name, color }) => [name, color])
const tagNames = async (user: BuiltUser, id: number) =>
  (await user.call(getFile, { id })).file.tags.map(({ name }) => name)

describe('tags', () => {
  test('ls prints tags with colors and counts', async () => {
    const { terminal, tag } = await openExample()
    const { code, stdout } = await runCli(terminal, ['tags', 'ls'])
    expect(code).toBe(0)
    expect(stdout).toMatch(new RegExp(`^ *ID +FILES +COLOR +NAME\\n *${tag.id} +0 +#10B981 +Work$`))
    expect(JSON.parse((await runCli(terminal, ['tags', 'ls', '--json'])).stdout)).toEqual([tag])
  })

  test('create makes a tag with the given color or the first one', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const { stdout } = await runCli(terminal, ['tags', 'create', 'Büro', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ name: 'Büro', color: '#3B82F6', file_count: 0 })
    expect((await runCli(terminal, ['tags', 'create', 'Red', '--color', '#ef4444'])).stdout).toContain('#EF4444')
    expect(await tagsOf(user)).toEqual([
      ['Büro', '#3B82F6'],
      ['Red', '#EF4444'],
    ])
  })

  test('edit changes name and color of a tag given by name or id', async () => {
    const { user, terminal, tag } = await openExample()
    expect((await runCli(terminal, ['tags', 'edit', 'Work', '--name', 'Office'])).code).toBe(0)
    expect((await runCli(terminal, ['tags', 'edit', `id:${tag.id}`, '--color', '#000000'])).code).toBe(0)
    expect(await tagsOf(user)).toEqual([['Office', '#000000']])
  })

  test('delete needs --yes without a terminal, and leaves the files', async () => {
    const { user, terminal, a } = await openExample()
    await runCli(terminal, ['tags', 'add', 'Work', '/a.txt'])
    expect((await runCli(terminal, ['tags', 'delete', 'Work'])).code).toBe(2)
    expect(await tagNames(user, a.id)).toEqual(['Work'])
    expect((await runCli(terminal, ['tags', 'delete', 'Work', '--yes'])).code).toBe(0)
    expect([await tagsOf(user), await tagNames(user, a.id)]).toEqual([[], []])
  })

  test('add and remove print the files with their tags', async () => {
    const { user, terminal, a, b } = await openExample()
    const added = await runCli(terminal, ['tags', 'add', 'Work', '/a.txt', `id:${b.id}`])
    expect(added).toEqual({ code: 0, stdout: 'PATH [TAGS]\n/a.txt [Work]\n/b.txt [Work]', stderr: '' })
    const removed = await runCli(terminal, ['tags', 'remove', 'Work', '/a.txt', '--json'])
    expect(JSON.parse(removed.stdout)).toMatchObject({ id: a.id, tags: [] })
    expect([await tagNames(user, a.id), await tagNames(user, b.id)]).toEqual([[], ['Work']])
  })

  test('add continues after failures, and says that folders have no tags', async () => {
    const { user, terminal, a } = await openExample()
    const { code, stderr } = await runCli(terminal, ['tags', 'add', 'Work', '/Docs', '/none', '/a.txt'])
    expect(code).toBe(2)
    expect(stderr).toContain("'/Docs' is a folder")
    expect(await tagNames(user, a.id)).toEqual(['Work'])
  })

  test.each([
    ['a taken name', ['tags', 'create', 'Work'], 5],
    ['an invalid color', ['tags', 'create', 'New', '--color', 'red'], 2],
    ['a name with a control character', ['tags', 'create', 'x\u001b[2J'], 2],
    ['an edit without changes', ['tags', 'edit', 'Work'], 2],
    ['an unknown tag', ['tags', 'edit', 'x\u001b[2J', '--name', 'y'], 4],
    ['an unknown tag for a file', ['tags', 'add', 'none', '/a.txt'], 4],
    ['a tag without files', ['tags', 'add', 'Work'], 2],
  ])('refuses %s', async (_what, args, code) => {
    const { user, terminal } = await openExample()
    const outcome = await runCli(terminal, args)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
    expect(outcome.stderr).not.toContain('\u001b')
    expect(await tagsOf(user)).toEqual([['Work', '#10B981']])
  })

  test('end with code 3 for a key without the permission', async () => {
    const { terminal } = await openUserTerminal(server, {}, ['files:read'])
    expect((await runCli(terminal, ['tags', 'ls'])).code).toBe(3)
    expect((await runCli(terminal, ['tags', 'create', 'New'])).code).toBe(3)
  })
})

describe('favorites', () => {
  test('are added, listed and removed, folders included', async () => {
    const { user, terminal, docs } = await openExample()
    const added = await runCli(terminal, ['favorites', 'add', '/Docs', '/a.txt', '--json'])
    expect(JSON.parse(added.stdout)).toMatchObject([{ id: docs.id, is_favorite: true }, { is_favorite: true }])
    const { stdout } = await runCli(terminal, ['favorites', 'ls'])
    expect(stdout).toMatch(/ \/Docs\/$/m)
    expect(stdout).toMatch(/ \/a\.txt$/m)
    expect((await runCli(terminal, ['favorites', 'remove', '/Docs'])).code).toBe(0)
    expect((await user.call(listFavorites, {})).files.map(({ name }) => name)).toEqual(['a.txt'])
  })

  test('print only a message on standard error when there are none', async () => {
    const { terminal } = await openExample()
    expect(await runCli(terminal, ['favorites', 'ls'])).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No favorites yet',
    })
    expect((await runCli(terminal, ['favorites', 'ls', '--json'])).stdout).toBe('[]')
  })

  test.each([
    ['an unknown path', ['favorites', 'add', '/none'], 4],
    ['the root', ['favorites', 'add', '/'], 2],
  ])('refuse %s', async (_what, args, code) => {
    const { terminal } = await openExample()
    expect((await runCli(terminal, args)).code).toBe(code)
  })
})
