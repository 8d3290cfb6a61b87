/** `filestore admin user …` beside a server that uses the same data. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getProfile } from '../../src/api/auth.ts'
import { listAudit } from '../../src/api/events.ts'
import { listFiles } from '../../src/api/files.ts'
import { listUsers } from '../../src/api/users.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { buildFile, buildKey, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { expectRefusal, readJson, runOn } from './administration.ts'

let server: TestServer
let admin: TestClient
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
})
afterAll(() => server.close())

const user = (args: string[], stdin?: string) => runOn(server, ['admin', 'user', ...args], stdin)
const findUser = async (name: string) =>
  (await admin.call(listUsers, {})).users.find(({ username }) => username === name)
const profileStatus = async (client: TestClient): Promise<number> => (await client.raw('/api/auth/profile')).status

describe('add', () => {
  test('makes a user with all given properties, who can sign in at once with the password from stdin', async () => {
    const more = ['--email', 'ann@example.org', '--full-name', 'Ann Archer', '--role', 'admin', '--quota', '1.5GB']
    const result = await user(['add', 'ann', ...more, '--password-stdin'], 'a password of hers\n')
    expect(result).toEqual({ code: 0, stdout: 'User ann was added', stderr: '' })
    const ann = await signIn(server.url, 'ann', 'a password of hers')
    expect(await ann.call(getProfile, {})).toMatchObject({
      full_name: 'Ann Archer',
      email: 'ann@example.org',
      role: 'admin',
      storage_quota: 1.5 * 1024 ** 3,
      must_change_password: false,
    })
  })

  test('prints a temporary password once, which must be changed after signing in', async () => {
    const args = ['user', 'add', 'tim', '--email', 'tim@example.org', '--temp-password']
    const { temp_password, ...added } = (await readJson(server, args)) as { temp_password: string }
    expect(added).toEqual(await findUser('tim'))
    const tim = await signIn(server.url, 'tim', temp_password)
    expect(await tim.call(getProfile, {})).toMatchObject({ role: 'user', must_change_password: true })
    const text = await user(['add', 'tom', '--email', 'tom@example.org', '--temp-password'])
    expect(text.stdout).toMatch(/^User tom was added\nTemporary password, told this once: [\w-]{20}$/)
  })

  test.each([
    [
      'a taken name',
      ['ADMIN', '--email', 'free@example.org', '--temp-password'],
      5,
      "username: 'ADMIN' is already taken",
    ],
    ['a taken address', ['free', '--email', 'ADMIN@localhost', '--temp-password'], 5, '--email: '],
    ['an invalid address', ['free', '--email', 'nowhere', '--temp-password'], 2, '--email: Expected an email address'],
    [
      'an unknown role',
      ['free', '--email', 'f@x.org', '--temp-password', '--role', 'no'],
      2,
      "--role: There is no role 'no'",
    ],
    ['an invalid quota', ['free', '--email', 'f@x.org', '--temp-password', '--quota', '5 stones'], 2, '--quota'],
    ['missing passwords without a terminal', ['free', '--email', 'f@x.org'], 2, '--password-stdin or --temp-password'],
    ['a missing address without a terminal', ['free', '--temp-password'], 2, '--email'],
    [
      'two password options',
      ['free', '--email', 'f@x.org', '--temp-password', '--password-stdin'],
      2,
      'cannot be used',
    ],
    ['an empty stdin', ['free', '--email', 'f@x.org', '--password-stdin'], 2, 'holds no password'],
  ])('refuses %s with a message, and adds no user', async (_what, args, code, words) => {
    expectRefusal(await user(['add', ...args]), code, words)
    expect(await findUser('free')).toBeUndefined()
  })
})

describe('list and show', () => {
  test('list prints all users as the API does, and as a table', async () => {
    await buildUser(server, { username: 'zoë', storageQuota: 1024 ** 3 })
    expect(await readJson(server, ['user', 'list'])).toEqual((await admin.call(listUsers, {})).users)
    const { stdout } = await user(['list'])
    expect(stdout).toMatch(/^ID +USERNAME +ROLE +STATE +STORAGE +EMAIL\n/)
    expect(stdout).toMatch(/^ *\d+ +zoë +user +active +0 Bytes of 1\.00 GB +\S+$/m)
  })

  test('show finds a user by id, or by name in any case, and prints the profile', async () => {
    const mia = await buildUser(server, { username: 'mia' })
    const profile = await mia.call(getProfile, {})
    expect(await readJson(server, ['user', 'show', 'MIA'])).toEqual(profile)
    const { stdout } = await user(['show', `id:${mia.id}`])
    expect(stdout).toMatch(/^Username +mia$/m)
    expect(stdout).toMatch(/^May +api-keys:manage, files:delete, files:link,$/m)
    expect(await user(['show', 'nobody'])).toEqual({ code: 4, stdout: '', stderr: "error: There is no user 'nobody'" })
    expect((await user(['show', 'id:999999'])).code).toBe(4)
  })

  test('a user whose name looks like an id is found, unless that id belongs to another user', async () => {
    const mia = await buildUser(server, { username: 'second-mia' })
    await buildUser(server, { username: 'id:888888' })
    expect((await user(['show', 'id:888888'])).stdout).toMatch(/^Username +id:888888$/m)
    const guise = await buildUser(server, { username: `id:${mia.id}` })
    const words = `the user of that name is id:${guise.id}, the one of that id is called 'second-mia'`
    expectRefusal(await user(['delete', `id:${mia.id}`, '--yes']), 2, words)
    expect((await user(['show', `id:${guise.id}`])).stdout).toContain(`id:${mia.id}`)
  })
})

describe('changes of a user', () => {
  test('set-role ends the sessions and gives the new permissions', async () => {
    const eva = await buildUser(server, { username: 'eva' })
    expect((await user(['set-role', 'eva', 'admin'])).stdout).toBe('User eva has the role admin')
    expect(await profileStatus(eva)).toBe(401)
    const again = await signIn(server.url, 'eva', eva.password)
    expect((await again.call(getProfile, {})).permissions).toContain('users:manage')
    expect(await user(['set-role', 'eva', 'nothing'])).toMatchObject({ code: 2, stdout: '' })
  })

  test('set-quota counts in units of 1024, accepts 0, and refuses an unknown unit', async () => {
    await buildUser(server, { username: 'ida' })
    expect((await user(['set-quota', 'ida', '10GB'])).stdout).toBe('User ida uses 0 Bytes of 10.00 GB')
    expect((await findUser('ida'))?.storage_quota).toBe(10 * 1024 ** 3)
    expect(await readJson(server, ['user', 'set-quota', 'ida', '0'])).toMatchObject({ storage_quota: 0 })
    expectRefusal(await user(['set-quota', 'ida', '10 stones']), 2, '10 stones')
  })

  test('set-password ends the sessions, and the new password need not be changed', async () => {
    const lea = await buildUser(server, { username: 'lea', mustChangePassword: true })
    expect((await user(['set-password', 'lea', '--password-stdin'], 'quite another\n')).stdout).toContain('lea')
    expect(await profileStatus(lea)).toBe(401)
    const again = await signIn(server.url, 'lea', 'quite another')
    expect((await again.call(getProfile, {})).must_change_password).toBe(false)
  })

  test.each([
    ['a short password', 'short\n', 2, 'at least 8'],
    ['an empty stdin', '', 2, 'holds no password'],
  ])('set-password refuses %s', async (_what, stdin, code, words) => {
    expectRefusal(await user(['set-password', 'admin', '--password-stdin'], stdin), code, words)
    await signIn(server.url, server.adminName, server.adminPassword)
  })

  test('disable stops sessions and keys from the next request, and enable allows passwords and keys again', async () => {
    const kim = await buildUser(server, { username: 'kim' })
    const key = await buildKey(server, kim, ['files:read'])
    expect((await user(['disable', 'kim'])).stdout).toBe('User kim is disabled')
    expect([await profileStatus(kim), (await key.raw('/api/files')).status]).toEqual([401, 401])
    expect(await readJson(server, ['user', 'enable', 'kim'])).toEqual({
      ...(await findUser('kim')),
      unmanaged_spaces: [],
    })
    expect([await profileStatus(kim), (await key.raw('/api/files')).status]).toEqual([401, 200])
    await signIn(server.url, 'kim', kim.password)
  })

  test('every change is in the audit log as an action of the terminal', async () => {
    await buildUser(server, { username: 'ute' })
    await user(['disable', 'ute'])
    const { events } = await admin.call(listAudit, { actor: 'terminal', action: 'user.update', limit: 1 })
    expect(events).toMatchObject([
      { actor_id: null, actor_name: 'terminal', address: null, detail: { username: 'ute', is_active: false } },
    ])
  })

  test.each([
    [['disable', 'nobody']],
    [['enable', 'nobody']],
    [['set-role', 'nobody', 'user']],
    [['set-quota', 'nobody', '1GB']],
    [['set-password', 'nobody']],
    [['delete', 'nobody', '--yes']],
  ])('%j ends with code 4 for an unknown user', async args => {
    expect(await user(args)).toEqual({ code: 4, stdout: '', stderr: "error: There is no user 'nobody'" })
  })
})

describe('the last administrator', () => {
  test('cannot be deleted, disabled or given another role', async () => {
    const alone = await startServer()
    try {
      for (const args of [
        ['disable', 'admin'],
        ['set-role', 'admin', 'user'],
        ['delete', 'admin', '--yes'],
      ]) {
        expect(await runOn(alone, ['admin', 'user', ...args])).toEqual({
          code: 5,
          stdout: '',
          stderr: 'error: At least one active administrator must remain',
        })
      }
    } finally {
      await alone.close()
    }
  })
})

describe('user delete', () => {
  const storedFiles = async (): Promise<number> => {
    const entries = await readdir(join(server.dataDir, 'storage/blobs'), { recursive: true, withFileTypes: true })
    return entries.filter(entry => entry.isFile()).length
  }

  test('without --yes asks first, and ends with code 2 without a terminal', async () => {
    await buildUser(server, { username: 'joe' })
    const result = await user(['delete', 'joe'])
    expect(result).toEqual({ code: 2, stdout: '', stderr: 'error: There is no terminal to ask on: use --yes' })
    expect(await findUser('joe')).toBeDefined()
  })

  test('needs a choice about the files, and deletes rows and content', async () => {
    const sam = await buildUser(server, { username: 'sam' })
    const before = await storedFiles()
    await buildFile(sam, {}, Buffer.alloc(100_000, 'sam'))
    expect(await storedFiles()).toBe(before + 1)
    expectRefusal(await user(['delete', 'sam', '--yes']), 5, 'sam owns files: give --files delete')
    const deleted = await user(['delete', 'sam', '--files', 'delete', '--yes'])
    expect(deleted).toEqual({ code: 0, stdout: 'User sam was deleted', stderr: '' })
    expect(await storedFiles()).toBe(before)
    expect(await profileStatus(sam)).toBe(401)
    expect(await findUser('sam')).toBeUndefined()
  })

  test('transfers the files to another user, and prints the deleted user', async () => {
    const [old, heir] = [await buildUser(server, { username: 'old' }), await buildUser(server, { username: 'heir' })]
    await buildFile(old, { name: 'will.txt' })
    const listed = await findUser('old')
    const args = ['user', 'delete', 'old', '--files', 'transfer', '--to', 'heir', '--yes']
    expect(await readJson(server, args)).toEqual(listed)
    expect((await heir.call(listFiles, {})).folders.map(({ name }) => name)).toEqual(['old'])
  })

  test.each([
    [['--files', 'transfer'], 2, '--to: '],
    [['--files', 'transfer', '--to', 'nobody'], 4, "no user 'nobody'"],
    [['--files', 'transfer', '--to', 'max'], 2, '--to: '],
    [['--files', 'burn'], 2, '--files'],
  ])('refuses %j', async (args, code, words) => {
    if ((await findUser('max')) === undefined) await buildUser(server, { username: 'max' })
    expectRefusal(await user(['delete', 'max', '--yes', ...args]), code, words)
  })
})
