/** The built client: the code of each command loads and works. All other tests run from the sources. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createLink, deleteLink } from '../../src/api/links.ts'
import { buildFile, buildFolder, buildTag, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, spawnCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

describe('the built client', () => {
  test.each([
    [['whoami'], 'Username'],
    [['ls'], 'a.txt'],
    [['tree'], 'a.txt'],
    [['search', 'a.txt'], '/a.txt'],
    [['stats'], 'a.txt'],
    [['recent'], '/a.txt'],
    [['address', '/a.txt'], '/view/'],
    [['download', '/a.txt', '-'], 'bytes'],
    [['download', '--zip', '/a.txt'], 'a.txt.zip'],
    [['upload', '-', '--name', 'b.txt'], '/b.txt'],
    [['mkdir', '/New'], '/New'],
    [['mv', '/a.txt', '/b.txt'], '/b.txt'],
    [['cp', '/a.txt', '/b.txt'], '/b.txt'],
    [['rm', '/a.txt'], 'a.txt'],
    [['tags', 'ls'], 'urgent'],
    [['favorites', 'add', '/a.txt'], 'a.txt'],
    [['share', 'ls', '/a.txt'], '(owner)'],
    [['share', 'link', '/a.txt', '--json'], '/s/'],
    [['keys', 'ls'], 'device'],
    [['completion', 'bash'], '_filestore'],
  ])('runs %j', async (args, words) => {
    const { user, terminal } = await openUserTerminal(server)
    await buildFile(user, { name: 'a.txt' }, 'bytes')
    await buildTag(user, 'urgent')
    const { code, stdout, stderr } = await spawnCli(terminal, args, 'more')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(words)
  })

  test.each([[['pending', 'ls']], [['trash', 'ls']], [['share', 'received']], [['spaces', 'ls']]])(
    'runs %j on empty lists',
    async args => {
      const { terminal } = await openUserTerminal(server, { role: 'admin' })
      expect(await spawnCli(terminal, args)).toMatchObject({ code: 0, stdout: '' })
    },
  )

  test('downloads and uploads by a link without signing in', async () => {
    const { user } = await openUserTerminal(server)
    const { id } = await buildFolder(user, 'Docs')
    await buildFile(user, { name: 'a.txt', parent_id: id }, 'bytes')
    const { link } = await user.call(createLink, { item_id: id, level: 'both' })
    const address = `${server.url}${link.url}`
    const terminal = await openTerminal()
    expect(await spawnCli(terminal, ['download', address])).toMatchObject({ code: 0, stderr: '' })
    expect(await terminal.names()).toEqual(['Docs'])
    const sent = await spawnCli(terminal, ['upload', '-', '--name', 'b.txt', '--to', address], 'more')
    expect(sent).toMatchObject({ code: 0, stdout: expect.stringMatching(/4 Bytes +b\.txt/) })
    await user.call(deleteLink, { id: link.id })
    expect((await spawnCli(terminal, ['download', address])).code).toBe(4)
  })

  test('signs in, keeps the profile for the next command, and signs out', async () => {
    const user = await buildUser(server)
    const terminal = await openTerminal()
    const args = ['login', server.url, '--username', user.username, '--password-stdin']
    expect(await spawnCli(terminal, args, user.password)).toMatchObject({ code: 0, stdout: '' })
    expect((await spawnCli(terminal, ['profiles'])).stdout).toContain(user.username)
    expect((await spawnCli(terminal, ['logout'])).stderr).toContain(`Signed out of ${server.url}`)
    expect((await spawnCli(terminal, ['whoami'])).code).toBe(3)
  })
})
