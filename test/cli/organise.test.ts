/** Making, moving, copying and removing items from the terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFiles } from '../../src/api/files.ts'
import { listTrash } from '../../src/api/trash.ts'
import { type BuiltUser, buildFile, buildFolder } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Builds `/Docs/a.txt`, `/Docs/Sub` and `/b.txt`. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const sub = await buildFolder(opened.user, 'Sub', docs.id)
  const a = await buildFile(opened.user, { name: 'a.txt', parent_id: docs.id }, 'aaa')
  const b = await buildFile(opened.user, { name: 'b.txt' }, 'bb')
  return { ...opened, docs, sub, a, b }
}

async function namesIn(user: BuiltUser, parentId: number | null = null): Promise<string[]> {
  const { folders, files } = await user.call(listFiles, { parent_id: parentId })
  return [...folders, ...files].map(item => item.name)
}

const trashedNames = async (user: BuiltUser) => (await user.call(listTrash, {})).files.map(file => file.name)

describe('mkdir', () => {
  test('makes folders by path or below an id, and prints their paths', async () => {
    const { user, terminal, docs } = await openExample()
    const { code, stdout } = await runCli(terminal, ['mkdir', '/New', 'Docs/One', `id:${docs.id}/Two`])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: 'SIZE  FOLDER\n   -  /New/\n   -  /Docs/One/\n   -  /Docs/Two/',
    })
    expect(await namesIn(user, docs.id)).toEqual(['One', 'Sub', 'Two', 'a.txt'])
  })

  test('with -p makes all missing folders, keeps existing ones, and prints the last folder', async () => {
    const { user, terminal, docs } = await openExample()
    for (const path of ['/Docs/x/y', `id:${docs.id}/x/y/`]) {
      const { code, stdout } = await runCli(terminal, ['mkdir', '-p', path, '--json'])
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ name: 'y', path: '/Docs/x/y', is_directory: true })
    }
    expect(await namesIn(user, docs.id)).toEqual(['Sub', 'x', 'a.txt'])
  })

  test('ends with code 5 for a taken name, and with -p only when a file has it', async () => {
    const { terminal } = await openExample()
    expect((await runCli(terminal, ['mkdir', '/Docs'])).code).toBe(5)
    expect((await runCli(terminal, ['mkdir', '-p', '/b.txt'])).code).toBe(5)
    expect((await runCli(terminal, ['mkdir', '-p', '/b.txt/x'])).code).toBe(5)
  })

  test.each([
    ['an unknown parent folder', ['mkdir', '/none/x'], 4],
    ['a file as the parent', ['mkdir', '/b.txt/x'], 4],
    ['the root', ['mkdir', '/'], 2],
    ['the root with -p', ['mkdir', '-p', '/'], 2],
    ['an id', ['mkdir', 'id:7'], 2],
    ['an empty path', ['mkdir', ''], 2],
    ['a name with a control character', ['mkdir', '/a\u001b[31m'], 2],
    ['a call without a path', ['mkdir'], 2],
  ])('refuses %s', async (_what, args, code) => {
    const { user, terminal } = await openExample()
    const outcome = await runCli(terminal, args)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
    expect(outcome.stderr).not.toContain('\u001b')
    expect(await namesIn(user)).toEqual(['Docs', 'b.txt'])
  })
})

describe('mv', () => {
  test('renames, moves into a folder, and does both in one call', async () => {
    const { user, terminal, docs, sub, b } = await openExample()
    const renamed = await runCli(terminal, ['mv', '/b.txt', '/c.txt'])
    expect(renamed).toEqual({ code: 0, stdout: '   SIZE  MOVED TO\n2 Bytes  /c.txt', stderr: '' })
    expect((await runCli(terminal, ['mv', 'c.txt', 'Docs'])).stdout).toContain('/Docs/c.txt')
    const both = await runCli(terminal, ['mv', '/Docs/c.txt', '/Docs/Sub/d.md', '--json'])
    expect(JSON.parse(both.stdout)).toMatchObject({ id: b.id, path: '/Docs/Sub/d.md', mime_type: 'text/markdown' })
    expect([await namesIn(user, docs.id), await namesIn(user, sub.id)]).toEqual([['Sub', 'a.txt'], ['d.md']])
  })

  test('moves to a new name although the old name is taken in both folders', async () => {
    const { user, terminal, sub, a } = await openExample()
    await buildFile(user, { name: 'a.txt', parent_id: sub.id })
    await buildFile(user, { name: 'b.txt', parent_id: a.parent_id })
    expect((await runCli(terminal, ['mv', '/Docs/a.txt', '/Docs/Sub/b.txt'])).code).toBe(0)
    expect((await user.call(getFile, { id: a.id })).file.path).toBe('/Docs/Sub/b.txt')
  })

  test('moves several items into a folder, into the root, and by id', async () => {
    const { user, terminal, a, sub } = await openExample()
    const { code, stdout } = await runCli(terminal, ['mv', `id:${a.id}`, `id:${sub.id}`, '/', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([{ path: '/a.txt' }, { path: '/Sub' }])
    expect(await namesIn(user)).toEqual(['Docs', 'Sub', 'a.txt', 'b.txt'])
  })

  test.each([
    ['onto an existing file', ['mv', '/Docs/a.txt', '/b.txt'], 5],
    ['onto itself', ['mv', '/b.txt', '/b.txt'], 5],
    ['a folder into itself', ['mv', '/Docs', '/Docs/Sub'], 5],
    ['a folder to a new name below itself', ['mv', '/Docs', '/Docs/Sub/New'], 5],
    ['to an unknown folder', ['mv', '/b.txt', '/none/'], 4],
    ['several items to an unknown folder', ['mv', '/b.txt', '/Docs/a.txt', '/none'], 4],
    ['several items onto a file', ['mv', '/Docs/Sub', '/Docs/a.txt', '/b.txt'], 4],
    ['an unknown item', ['mv', '/none', '/Docs'], 4],
    ['the root', ['mv', '/', '/Docs'], 2],
    ['to an invalid name', ['mv', '/b.txt', '/a\u0007'], 2],
    ['without a target', ['mv', '/b.txt'], 2],
  ])('refuses to move %s', async (_what, args, code) => {
    const { user, terminal, docs } = await openExample()
    const outcome = await runCli(terminal, args)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
    expect([await namesIn(user), await namesIn(user, docs.id)]).toEqual([
      ['Docs', 'b.txt'],
      ['Sub', 'a.txt'],
    ])
  })

  test('moves the other items when one name is taken in the folder, and ends with code 5', async () => {
    const { user, terminal, docs } = await openExample()
    await buildFile(user, { name: 'a.txt' })
    const { code, stdout, stderr } = await runCli(terminal, ['mv', '/a.txt', '/b.txt', '/Docs', '--json'])
    expect(code).toBe(5)
    expect(JSON.parse(stdout)).toMatchObject([{ path: '/Docs/b.txt' }])
    expect(stderr).toContain('/a.txt: ')
    expect(await namesIn(user, docs.id)).toEqual(['Sub', 'a.txt', 'b.txt'])
  })
})

describe('cp', () => {
  test('copies a file to a new path, and a folder with its contents into a folder', async () => {
    const { user, terminal, docs } = await openExample()
    const { stdout } = await runCli(terminal, ['cp', '/b.txt', '/Docs/c.txt', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ path: '/Docs/c.txt', size: 2 })
    await buildFolder(user, 'Target')
    expect((await runCli(terminal, ['cp', '/Docs', '/Target'])).stdout).toContain('/Target/Docs/')
    expect((await runCli(terminal, ['ls', '/Target/Docs/c.txt'])).code).toBe(0)
    expect(await namesIn(user, docs.id)).toEqual(['Sub', 'a.txt', 'c.txt'])
  })

  test('gives the copy a free name when its name is taken in the folder', async () => {
    const { terminal } = await openExample()
    expect((await runCli(terminal, ['cp', '/b.txt', '/'])).stdout).toContain('/b (1).txt')
  })

  test('ends with code 5 for a path that exists, and changes nothing', async () => {
    const { user, terminal } = await openExample()
    expect((await runCli(terminal, ['cp', '/Docs/a.txt', '/b.txt'])).code).toBe(5)
    expect(await namesIn(user)).toEqual(['Docs', 'b.txt'])
  })

  test('ends with code 6 when the quota is exceeded', async () => {
    const { user, terminal } = await openUserTerminal(server, { storageQuota: 10 })
    await buildFile(user, { name: 'six' }, '123456')
    expect((await runCli(terminal, ['cp', '/six', '/more'])).code).toBe(6)
  })
})

describe('rm', () => {
  test('moves files and folders to the trash', async () => {
    const { user, terminal } = await openExample()
    const { code, stdout } = await runCli(terminal, ['rm', '/Docs', '/b.txt'])
    expect({ code, stdout }).toEqual({ code: 0, stdout: '   SIZE  NOW IN THE TRASH\n      -  /Docs/\n2 Bytes  /b.txt' })
    expect(await namesIn(user)).toEqual([])
    expect((await trashedNames(user)).sort()).toEqual(['Docs', 'b.txt'])
  })

  test('with --permanent and --yes deletes permanently', async () => {
    const { user, terminal, docs } = await openExample()
    const { code, stdout } = await runCli(terminal, ['rm', '--permanent', '--yes', '/Docs', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ id: docs.id, path: '/Docs' })
    expect([await namesIn(user), await trashedNames(user)]).toEqual([['b.txt'], []])
  })

  test('with --permanent but without --yes or a terminal does nothing, and names --yes', async () => {
    const { user, terminal } = await openExample()
    const { code, stderr } = await runCli(terminal, ['rm', '--permanent', '/b.txt'], 'y\n')
    expect(code).toBe(2)
    expect(stderr).toContain('--yes')
    expect(await namesIn(user)).toEqual(['Docs', 'b.txt'])
  })

  test('continues after failures, and ends with the code of the first one', async () => {
    const { user, terminal } = await openExample()
    const { code, stdout } = await runCli(terminal, ['rm', '/none', '/b.txt', '/', '--json'])
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject([{ name: 'b.txt' }])
    expect(await namesIn(user)).toEqual(['Docs'])
  })
})

test.each([
  ['mkdir', ['mkdir', '/New']],
  ['mv', ['mv', '/b.txt', '/c.txt']],
  ['cp', ['cp', '/b.txt', '/c.txt']],
  ['rm', ['rm', '/b.txt']],
])("%s ends with code 3 for a key with read permission only, and prints the server's message", async (_what, args) => {
  const { user, terminal } = await openUserTerminal(server, {}, ['files:read'])
  await buildFile(user, { name: 'b.txt' })
  const { code, stdout, stderr } = await runCli(terminal, args)
  expect({ code, stdout }).toEqual({ code: 3, stdout: '' })
  expect(stderr).toMatch(/^error: \w+/)
  expect(await namesIn(user)).toEqual(['b.txt'])
})
