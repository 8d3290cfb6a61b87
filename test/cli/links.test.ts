/** Making links from the terminal, listing, changing and ending them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkLevels } from '../../src/api/link-levels.ts'
import { listLinks, updateLink } from '../../src/api/links.ts'
import { updateSharingSettings } from '../../src/api/shares.ts'
import { trashFile } from '../../src/api/trash.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildFolder } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, runCli, talk } from './terminal.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

/** A user with `/Docs/a.txt`, of which there is no link yet. */
async function openExample() {
  const { user, terminal } = await openUserTerminal(server)
  const docs = await buildFolder(user, 'Docs')
  const a = await buildFile(user, { name: 'a.txt', parent_id: docs.id }, 'aaa')
  const run = (args: string[], input = '') => runCli(terminal, args, input)
  const link = async (...args: string[]) => JSON.parse((await run(['share', 'link', ...args, '--json'])).stdout)
  return { user, terminal, docs, a, run, link }
}

test('share link prints the address alone as data, and it works without an account', async () => {
  const { run } = await openExample()
  const { code, stdout, stderr } = await run(['share', 'link', '/Docs/a.txt'])
  const meaning = 'Anyone with the link sees and downloads it, without an account.'
  expect({ code, stderr }).toEqual({ code: 0, stderr: meaning })
  expect(stdout).toMatch(new RegExp(`^${server.url}/s/[\\w-]{22}$`))
  const visitor = await openTerminal()
  expect((await runCli(visitor, ['download', stdout, '-'])).stdout).toBe('aaa')
})

test('its options are the terms of the link', async () => {
  const { run } = await openExample()
  const terms = ['--until', '30d', '--max-downloads', '5', '--label', 'For Anna', '--password-stdin', '--json']
  const link = JSON.parse((await run(['share', 'link', '/Docs', ...terms], 'open sesame\n')).stdout)
  expect(link).toMatchObject({ level: 'view', max_downloads: 5, label: 'For Anna', has_password: true, works: true })
  expect((Date.parse(link.expires_at) - Date.now()) / 86_400_000).toBeCloseTo(30, 1)
  const drop = ['--upload', '--ask-name', '--max-bytes', '5GB', '--json']
  expect(JSON.parse((await run(['share', 'link', '/Docs', ...drop])).stdout)).toMatchObject({
    level: 'upload',
    ask_name: true,
    max_bytes: 5 * 1024 ** 3,
    has_password: false,
    expires_at: null,
  })
  expect(JSON.parse((await run(['share', 'link', '/Docs', '--both', '--json'])).stdout).level).toBe('both')
})

test('share links lists the links with level, state, use and label; with a path their addresses, too', async () => {
  const { user, run, link } = await openExample()
  const made = await link('/Docs', '--max-downloads', '5', '--label', 'For Anna')
  const paused = await link('/Docs/a.txt')
  await user.call(updateLink, { id: paused.id, is_active: false })
  const all = (await run(['share', 'links'])).stdout
  expect(all).toMatch(/^ *ID +LEVEL +STATE +UNTIL +PASSWORD +USED +LABEL +PATH$/m)
  expect(all).toMatch(new RegExp(`^ *${made.id} +view +works +never +- +0 of 5 downloads +For Anna +/Docs/$`, 'm'))
  expect(all).toMatch(new RegExp(`^ *${paused.id} +view +paused +never +- +0 downloads +- +/Docs/a\\.txt$`, 'm'))
  const one = await run(['share', 'links', '/Docs'])
  expect(one.stdout).toMatch(new RegExp(` For Anna +${made.url}$`, 'm'))
  expect(one.stdout).not.toContain('a.txt')
  expect(JSON.parse((await run(['share', 'links', '--json'])).stdout)).toHaveLength(2)
  const access = await run(['share', 'ls', '/Docs'])
  expect(access.stdout).toMatch(new RegExp(`^ *${made.id} +view +never +works +link 'For Anna' +Docs$`, 'm'))
})

test('share links says so if there is none', async () => {
  const { run } = await openExample()
  expect(await run(['share', 'links'])).toEqual({ code: 0, stdout: '', stderr: 'You have no links' })
  expect((await run(['share', 'links', '/Docs'])).stderr).toContain('has no links')
  expect((await run(['share', 'links', '--json'])).stdout).toBe('[]')
})

test('edit-link pauses, resumes and changes a link by its id or address, and nothing else', async () => {
  const { run, link } = await openExample()
  const { id, url } = await link('/Docs', '--label', 'For Anna', '--until', '30d')
  const edit = async (...args: string[]) => JSON.parse((await run(['share', 'edit-link', ...args, '--json'])).stdout)
  expect(await edit(`${id}`, '--pause')).toMatchObject({ works: false, reason: 'paused', label: 'For Anna' })
  expect(await edit(url, '--resume', '--until', '2999-12-31')).toMatchObject({
    works: true,
    expires_at: '2999-12-31T23:59:59.999Z',
  })
  const limits = ['--max-downloads', '3', '--max-bytes', '1GB', '--level', 'both', '--ask-name']
  expect(await edit(`id:${id}`, ...limits)).toMatchObject({ level: 'both', max_downloads: 3, ask_name: true })
  const none = ['--max-downloads', 'none', '--max-bytes', 'none', '--until', 'never', '--label', '', '--no-ask-name']
  expect(await edit(`${id}`, ...none)).toMatchObject({
    max_downloads: null,
    max_bytes: null,
    expires_at: null,
    label: null,
    ask_name: false,
    level: 'both',
  })
})

test('edit-link sets a new password and takes it away', async () => {
  const { run, link } = await openExample()
  const { id } = await link('/Docs')
  const set = await run(['share', 'edit-link', `${id}`, '--password-stdin', '--json'], 'open sesame')
  expect(JSON.parse(set.stdout).has_password).toBe(true)
  const taken = await run(['share', 'edit-link', `${id}`, '--no-password'])
  expect(taken.stdout).toMatch(new RegExp(`^ *${id} +view +works +never +- +0 downloads `, 'm'))
  expect((await run(['share', 'edit-link', `${id}`, '--password-stdin'], '')).stderr).toContain('holds no password')
})

test('revoke ends links for good, after a question', async () => {
  const { user, run, link } = await openExample()
  const [one, two] = [await link('/Docs'), await link('/Docs')]
  expect((await run(['share', 'revoke', `${one.id}`])).stderr).toContain('use --yes')
  const { code, stdout } = await run(['share', 'revoke', `${one.id}`, two.url, '--yes'])
  expect(code).toBe(0)
  expect(stdout).toMatch(new RegExp(`^ *${two.id} +revoked$`, 'm'))
  expect((await user.call(listLinks, {})).links).toEqual([])
  expect(await run(['share', 'revoke', `${one.id}`, '--yes'])).toMatchObject({ code: 4, stdout: '' })
  expect(await run(['share', 'revoke', two.url, '--yes'])).toMatchObject({ code: 4, stdout: '' })
})

test('on a terminal the password is asked for and hidden, and revoke asks', async () => {
  const { user, terminal } = await openExample()
  const made = await talk(
    terminal,
    ['share', 'link', '/Docs', '--password-stdin'],
    [['Password of the link: ', 'not to be seen\r']],
  )
  expect(made.exitCode).toBe(0)
  expect(made.screen).not.toContain('not to be seen')
  const [link] = (await user.call(listLinks, {})).links
  expect(link?.has_password).toBe(true)
  const ended = await talk(terminal, ['share', 'revoke', `${link?.id}`], [['cannot be undone', 'y\r']])
  expect(ended.exitCode).toBe(0)
  expect((await user.call(listLinks, {})).links).toEqual([])
})

test('a link whose item is in the trash says that it does not work', async () => {
  const { user, a, run, link } = await openExample()
  await link('/Docs/a.txt')
  await user.call(trashFile, { id: a.id })
  expect((await run(['share', 'links'])).stdout).toMatch(/ not available +never /)
})

test.each([
  ['an unknown path', ['share', 'link', '/none'], 4],
  ['the root', ['share', 'link', '/'], 2],
  ['uploads to a file', ['share', 'link', '/Docs/a.txt', '--upload'], 2],
  ['two levels', ['share', 'link', '/Docs', '--upload', '--both'], 2],
  ['a wrong time', ['share', 'link', '/Docs', '--until', '2026-02-30'], 2],
  ['a time that is over', ['share', 'link', '/Docs', '--until', '2020-02-20'], 2],
  ['no downloads', ['share', 'link', '/Docs', '--max-downloads', '0'], 2],
  ['an unknown link', ['share', 'edit-link', '999999', '--pause'], 4],
  ['no change', ['share', 'edit-link', '1'], 2],
  ['pause and resume', ['share', 'edit-link', '1', '--pause', '--resume'], 2],
  ['a name', ['share', 'edit-link', 'Docs', '--pause'], 2],
  ['an address of no link', ['share', 'revoke', 'https://files.example.org/files/7', '--yes'], 2],
])('%s is refused', async (_what, args, code) => {
  const { run } = await openExample()
  expect(await run(args)).toMatchObject({ code, stdout: '' })
})

test('where links are turned off, none is made', async () => {
  const { run } = await openExample()
  await admin.call(updateSharingSettings, { links: false })
  const { code, stderr } = await run(['share', 'link', '/Docs'])
  await admin.call(updateSharingSettings, { links: true })
  expect(code).toBe(3)
  expect(stderr).toContain('turned off')
})

test('the levels of the command are those of the API', async () => {
  const { run, link } = await openExample()
  const { id } = await link('/Docs')
  for (const level of linkLevels) {
    expect((await run(['share', 'edit-link', `${id}`, '--level', level])).code).toBe(0)
  }
})
