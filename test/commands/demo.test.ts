/** `filestore serve --demo`: public accounts on a database made for the demo. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { changePassword } from '../../src/api/auth.ts'
import { listFavorites, listFiles } from '../../src/api/files.ts'
import { listLinks } from '../../src/api/links.ts'
import type { PageConfig } from '../../src/api/page.ts'
import { getFileStats } from '../../src/api/search.ts'
import { listReceived } from '../../src/api/shares.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import { listTags } from '../../src/api/tags.ts'
import { listTrash } from '../../src/api/trash.ts'
import { listUsers } from '../../src/api/users.ts'
import { listPending } from '../../src/api/validation.ts'
import { runBinary, type ServeProcess, serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { onlyNightly } from '../support/rounds.ts'

let dataDir: string

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-demo-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

async function demoAccounts({ url }: ServeProcess): Promise<PageConfig['demo_accounts']> {
  const page = await (await fetch(url)).text()
  const [, json = ''] = /id="config"[^>]*>(.*?)<\/script>/.exec(page) ?? []
  return (JSON.parse(json) as PageConfig).demo_accounts
}

test('an empty database gets an administrator and a user, who both have files of every kind', async () => {
  const server = await serveBinary(['--demo', '--data-dir', dataDir])
  const accounts = await demoAccounts(server)
  expect(accounts.map(({ role, username }) => [role, username])).toEqual([
    ['Admin', 'admin'],
    ['User', 'jana'],
  ])
  for (const { username, password } of accounts) {
    expect(server.output).toContain(password)
    const user = await signIn(server.url, username, password)
    const { folders, files } = await user.call(listFiles, {})
    expect(folders.map(({ name }) => name)).toContain('Projects')
    expect(files.map(({ name }) => name)).toContain('Welcome to filestore.md')
    const { by_kind, recent_files } = await user.call(getFileStats, {})
    expect(by_kind.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['image', 'pdf', 'audio', 'document', 'sheet', 'code']),
    )
    expect(new Set(recent_files.map(file => file.updated_at.slice(0, 10))).size).toBeGreaterThan(2)
    expect((await user.call(listFavorites, {})).files.length).toBeGreaterThan(2)
    expect((await user.call(listTrash, {})).files.length).toBe(2)
    const [team] = (await user.call(listSpaces, {})).spaces
    expect(team).toMatchObject({
      name: 'Summer Fair',
      member_count: 2,
      level: username === 'admin' ? 'manage' : 'edit',
    })
    expect((await user.call(listFiles, { parent_id: team?.folder_id })).total).toBe(3)
    expect((await user.call(listReceived, {})).shares).toMatchObject([
      { level: username === 'admin' ? 'view' : 'edit' },
    ])
    const { links } = await user.call(listLinks, {})
    expect(links.map(({ label, works, opened }) => [label, works, opened])).toEqual(
      username === 'admin' ? [] : [['Holiday photos', true, 0]],
    )
    expect((await user.call(listTags, {})).tags.every(tag => tag.file_count > 0)).toBe(true)
  }
  const admin = await signIn(server.url, 'admin', accounts[0]?.password ?? '')
  expect((await admin.call(listPending, {})).length).toBe(2)
  await server.stop()
})

test('a later start adds nothing, and does not offer an account with a changed password', async context => {
  onlyNightly(context)
  const first = await serveBinary(['--data-dir', dataDir], { FILESTORE_DEMO: '1' })
  const [admin, jana] = await demoAccounts(first)
  const user = await signIn(first.url, jana?.username ?? '', jana?.password ?? '')
  await user.call(changePassword, { current_password: jana?.password ?? '', new_password: 'a secret of mine' })
  await first.stop()
  const second = await serveBinary(['--demo', '--data-dir', dataDir])
  expect(await demoAccounts(second)).toEqual([admin])
  const again = await signIn(second.url, 'admin', admin?.password ?? '')
  expect((await again.call(listUsers, {})).users.length).toBe(2)
  await second.stop()
})

test('a start without the flag offers no account, also on the database of a demo', async context => {
  onlyNightly(context)
  await (await serveBinary(['--demo', '--data-dir', dataDir])).stop()
  const server = await serveBinary(['--data-dir', dataDir])
  expect(await demoAccounts(server)).toEqual([])
  await server.stop()
})

test('a database that is in use already is refused and stays as it is', async context => {
  onlyNightly(context)
  await (await serveBinary(['--data-dir', dataDir], { FILESTORE_ADMIN_PASSWORD: 'some password' })).stop()
  const refused = await runBinary(['serve', '--demo', '--port', '0', '--data-dir', dataDir])
  expect(refused.exitCode).toBe(2)
  expect(refused.stderr).toContain('--demo needs a database of its own')
  const server = await serveBinary(['--data-dir', dataDir])
  const admin = await signIn(server.url, 'admin', 'some password')
  expect((await admin.call(listUsers, {})).users.length).toBe(1)
  await server.stop()
})

test.each([
  [{ FILESTORE_ADMIN_PASSWORD: 'some password' }, ['--demo'], 'unset FILESTORE_ADMIN_PASSWORD'],
  [{ FILESTORE_DEMO: 'perhaps' }, [], "--demo: 'perhaps' is not 1 or 0"],
])('%j with %j is refused with a message', async (env, args, words) => {
  const result = await runBinary(['serve', '--port', '0', '--data-dir', dataDir, ...args], { env })
  expect(result.exitCode).toBe(2)
  expect(result.stderr).toContain(words)
})
