/** Recent files, addresses, the files of a tag and sorted searches, as commands and in the terminal browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tagFiles } from '../../src/api/tags.ts'
import { listPending } from '../../src/api/validation.ts'
import { type BuiltUser, buildFile, buildFolder, buildTag, buildUser, turnSettings } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openScreen } from './screen.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

/** Builds `/Docs/plan a.txt`, `/plan b.txt` and the newest, `/Docs/other.txt`, and the tag `Work` on the first. */
async function openExample() {
  const opened = await openUserTerminal(server)
  const docs = await buildFolder(opened.user, 'Docs')
  const a = await buildFile(opened.user, { name: 'plan a.txt', parent_id: docs.id }, 'aaaa')
  const b = await buildFile(opened.user, { name: 'plan b.txt' }, 'b')
  await buildFile(opened.user, { name: 'other.txt', parent_id: docs.id })
  const tag = await buildTag(opened.user, 'Work')
  await opened.user.call(tagFiles, { tag_id: tag.id, file_ids: [a.id] })
  return { ...opened, docs, a, b }
}

const namesOf = (json: string): string[] => (JSON.parse(json) as { name: string }[]).map(({ name }) => name)

describe('the commands', () => {
  test('recent lists the files that changed last, as many as wanted', async () => {
    const { terminal } = await openExample()
    const { stdout } = await runCli(terminal, ['recent', '--json'])
    expect(namesOf(stdout)).toEqual(['other.txt', 'plan b.txt', 'plan a.txt'])
    expect(namesOf((await runCli(terminal, ['recent', '--limit', '1', '--json'])).stdout)).toEqual(['other.txt'])
    expect((await runCli(terminal, ['recent'])).stdout).toMatch(/SIZE +CHANGED +PATH\n.*\/Docs\/other\.txt/)
    const { terminal: empty } = await openUserTerminal(server)
    expect(await runCli(empty, ['recent'])).toMatchObject({ code: 0, stdout: '' })
  })

  test('address prints what opens a file, and a folder', async () => {
    const { terminal, a, docs } = await openExample()
    const { stdout } = await runCli(terminal, ['address', '/Docs/plan a.txt', '/Docs'])
    expect(stdout).toBe(`${server.url}/view/${a.id}\n${server.url}/files/${docs.id}`)
    expect((await runCli(terminal, ['address', '/none'])).code).toBe(4)
  })

  test('tags files lists the files of a tag', async () => {
    const { terminal } = await openExample()
    expect(namesOf((await runCli(terminal, ['tags', 'files', 'Work', '--json'])).stdout)).toEqual(['plan a.txt'])
    expect((await runCli(terminal, ['tags', 'files', 'None'])).code).toBe(4)
  })

  test('search sorts, and finds two letters', async () => {
    const { terminal } = await openExample()
    const find = async (...args: string[]) =>
      namesOf((await runCli(terminal, ['search', 'pl', '--json', ...args])).stdout)
    expect(await find()).toEqual(['plan b.txt', 'plan a.txt'])
    expect(await find('--sort', 'name')).toEqual(['plan a.txt', 'plan b.txt'])
    expect(await find('--sort', 'size', '--reverse')).toEqual(['plan a.txt', 'plan b.txt'])
  })
})

describe('the browser', () => {
  test('shows the recent files, one of them in its folder, and copies its address', async () => {
    const { terminal, a } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    screen.type('5')
    await screen.shows('Files that changed last')
    await screen.stands('other.txt')
    screen.type('G')
    await screen.stands('plan a.txt')
    screen.type('y')
    const address = `${server.url}/view/${a.id}`
    await screen.shows(`Address copied: ${address}`)
    expect(screen.sent()).toContain(`\u001b]52;c;${Buffer.from(address).toString('base64')}\u0007`)
    screen.type('F')
    await screen.shows(/ \/Docs\b/)
    await screen.stands('plan a.txt')
    screen.type('h')
    await screen.shows('Files that changed last')
  })

  test('shows the files of a tag', async () => {
    const { terminal } = await openExample()
    const screen = await openScreen(terminal)
    await screen.stands('Docs/')
    screen.type('j', 't')
    await screen.shows('Work')
    screen.type('o')
    await screen.shows("Tagged 'Work'")
    await screen.stands('plan a.txt')
    await screen.hides('plan b.txt')
  })

  test('approves several files that wait at once', async () => {
    const { terminal, user: admin } = await openUserTerminal(server, { role: 'admin' })
    await turnSettings(admin, { validation_enabled: true })
    const owner: BuiltUser = await buildUser(server)
    for (const name of ['one.txt', 'two.txt', 'three.txt']) await buildFile(owner, { name })
    const screen = await openScreen(terminal)
    screen.type('7')
    await screen.stands('one.txt')
    screen.type(' ', ' ', 'a')
    await screen.shows('Approved 2 items')
    await screen.stands('three.txt')
    expect((await admin.call(listPending, {})).map(({ name }) => name)).toEqual(['three.txt'])
  })
})
