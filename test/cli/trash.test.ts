/** The trash from the terminal. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { listTrash, trashFile } from '../../src/api/trash.ts'
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

/** Deletes the folder `/Docs`, and two files that were `/a.txt` one after the other. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const { user } = opened
  const docs = await buildFolder(user, 'Docs')
  await buildFile(user, { name: 'in-docs.txt', parent_id: docs.id })
  const first = await buildFile(user, { name: 'a.txt' }, '1')
  await user.call(trashFile, { id: first.id })
  const second = await buildFile(user, { name: 'a.txt' }, '22')
  await user.call(trashFile, { id: second.id })
  await user.call(trashFile, { id: docs.id })
  return { ...opened, docs, first, second }
}

const trashedIds = async (user: BuiltUser) => (await user.call(listTrash, {})).files.map(file => file.id)
const liveNames = async (user: BuiltUser) => {
  const { folders, files } = await user.call(listFiles, {})
  return [...folders, ...files].map(item => item.name)
}

describe('trash', () => {
  test('ls prints ids, times and the former paths', async () => {
    const { terminal, docs, second } = await openExample()
    const { code, stdout } = await runCli(terminal, ['trash', 'ls'])
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ *ID +SIZE +REMOVED +FROM$/m)
    expect(stdout).toMatch(new RegExp(`^ *${docs.id} +- +\\d{4}-.* /Docs/$`, 'm'))
    expect(stdout).toMatch(new RegExp(`^ *${second.id} +2 Bytes +\\d{4}-.* /a\\.txt$`, 'm'))
    expect(JSON.parse((await runCli(terminal, ['trash', 'ls', '--json'])).stdout)).toHaveLength(3)
  })

  test('restore accepts paths and ids, and prints the new paths', async () => {
    const { user, terminal, first, second } = await openExample()
    const { code, stdout } = await runCli(terminal, ['trash', 'restore', 'Docs/', `id:${second.id}`, `id:${first.id}`])
    expect(code).toBe(0)
    expect(stdout).toBe('   SIZE  RESTORED TO\n      -  /Docs/\n2 Bytes  /a.txt\n1 Bytes  /a (1).txt')
    expect(await liveNames(user)).toEqual(['Docs', 'a (1).txt', 'a.txt'])
  })

  test('restore by a path that several items had lists their ids and restores none', async () => {
    const { user, terminal, first, second } = await openExample()
    const { code, stderr } = await runCli(terminal, ['trash', 'restore', '/a.txt'])
    expect(code).toBe(2)
    for (const { id } of [first, second]) expect(stderr).toContain(`id:${id}`)
    expect(await trashedIds(user)).toHaveLength(3)
  })

  test('delete --yes deletes permanently, and prints the item', async () => {
    const { user, terminal, docs, first, second } = await openExample()
    const { code, stdout } = await runCli(terminal, ['trash', 'delete', '/Docs', '--yes', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ id: docs.id, path: '/Docs' })
    expect(await trashedIds(user)).toEqual([second.id, first.id])
  })

  test('empty --yes deletes everything, or only items older than --older-than', async () => {
    const { user, terminal } = await openExample()
    const old = await runCli(terminal, ['trash', 'empty', '--yes', '--older-than', '1', '--json'])
    expect(JSON.parse(old.stdout)).toEqual({ deleted: 0 })
    const all = await runCli(terminal, ['trash', 'empty', '--yes'])
    expect(all).toEqual({ code: 0, stdout: 'Deleted 3 items', stderr: '' })
    expect(await trashedIds(user)).toEqual([])
    expect(await runCli(terminal, ['trash', 'ls'])).toEqual({ code: 0, stdout: '', stderr: 'Trash is empty' })
  })

  test.each([
    ['delete', ['trash', 'delete', '/Docs']],
    ['empty', ['trash', 'empty']],
  ])('%s without --yes and without a terminal does nothing', async (_what, args) => {
    const { user, terminal } = await openExample()
    const { code, stderr } = await runCli(terminal, args, 'y\n')
    expect(code).toBe(2)
    expect(stderr).toContain('--yes')
    expect(await trashedIds(user)).toHaveLength(3)
  })

  test.each([
    ['an item that is not in the trash', ['trash', 'restore', '/none'], 4],
    ['an item that was deleted with its folder', ['trash', 'restore', '/Docs/in-docs.txt'], 4],
    ['a live item', ['trash', 'delete', '--yes', '/live.txt'], 4],
    ['a name with an escape sequence', ['trash', 'restore', '/x\u001b[2J'], 4],
    ['a call without a command', ['trash'], 2],
    ['an unknown command', ['trash', 'burn'], 2],
    ['a restore without items', ['trash', 'restore'], 2],
    ['an age that is no number', ['trash', 'empty', '--yes', '--older-than', 'week'], 2],
  ])('refuses %s', async (_what, args, code) => {
    const { user, terminal } = await openExample()
    await buildFile(user, { name: 'live.txt' })
    const outcome = await runCli(terminal, args)
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code, stdout: '' })
    expect(outcome.stderr).not.toContain('\u001b')
    expect(await trashedIds(user)).toHaveLength(3)
  })

  test('ends with code 3 for a key without the permission to delete', async () => {
    const { user, terminal } = await openUserTerminal(server, {}, ['files:read'])
    const file = await buildFile(user)
    await user.call(trashFile, { id: file.id })
    for (const args of [
      ['restore', `id:${file.id}`],
      ['delete', '--yes', `id:${file.id}`],
      ['empty', '--yes'],
    ]) {
      expect((await runCli(terminal, ['trash', ...args])).code).toBe(3)
    }
    expect(await trashedIds(user)).toEqual([file.id])
  })
})
