/** `filestore fsck --repair` takes rights away and gives none: keys, shares, links and sessions with a damaged column. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { changePassword } from '../../src/api/auth.ts'
import { updateApiKey } from '../../src/api/keys.ts'
import { listReceived, updateSharingSettings } from '../../src/api/shares.ts'
import { day } from '../../src/base/clock.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFolder, buildKey, buildShare, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'
import { nonsense } from './fsck-columns.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
let ben: BuiltUser
beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server)
  ben = await buildUser(server)
})
afterAll(() => server.close())

const damage = (table: string, column: string, id: number) =>
  spoilRows(server, `UPDATE ${table} SET \`${column}\` = ${nonsense[table]?.[column]} WHERE id = ${id}`)

/** Makes something for each of some columns, damages that column of it, and has all repaired. */
async function damageAll<Made extends { id: number }>(
  table: string,
  columns: readonly string[],
  make: () => Promise<Made>,
) {
  const made: [column: string, Made][] = []
  for (const column of columns) made.push([column, await make()])
  for (const [column, { id }] of made) await damage(table, column, id)
  await runFsck(server, '--repair')
  return made
}

/** The columns whose things pass, in their order. */
async function columnsOf<Made>(made: readonly [string, Made][], passes: (one: Made) => Promise<boolean>) {
  const columns: string[] = []
  for (const [column, one] of made) if (await passes(one)) columns.push(column)
  return columns
}

const inDays = (days: number) => new Date(Date.now() + days * day).toISOString()
const columnsIn = (table: string) => Object.keys(nonsense[table] ?? {})

describe('an API key', () => {
  const works = async (key: TestClient) => (await key.raw('/api/files')).status === 200

  test('with a damaged column works after the repair only if the column limits nothing', async () => {
    const made = await damageAll('api_keys', columnsIn('api_keys'), () => buildKey(server, ann, ['files:read']))
    expect(await columnsOf(made, works)).toEqual(['name', 'created_at', 'last_used_at'])
  })

  test('that has lost its limit waits until its owner enables it again', async () => {
    const make = () => buildKey(server, ann, ['files:read'], 'script', { rate_limit_per_hour: 5 })
    for (const [, key] of await damageAll('api_keys', ['rate_limit_per_hour'], make)) {
      expect(await works(key)).toBe(false)
      await ann.call(updateApiKey, { id: key.id, is_active: true })
      expect(await works(key)).toBe(true)
    }
  })

  test('of a device that is no longer known as one does not work after a new password', async () => {
    const user = await buildUser(server)
    const made = await damageAll('api_keys', ['kind'], () => buildKey(server, user, ['files:read'], 'device'))
    await user.call(changePassword, { current_password: user.password, new_password: 'another one for me' })
    expect(await columnsOf(made, works)).toEqual([])
  })
})

test('a link with a damaged column works after the repair only if the column limits nothing', async () => {
  const opens = async ({ token }: { token: string }) => (await openVisitor(server.url, token).raw('')).status === 200
  const terms = { max_downloads: 3, max_bytes: 1000, level: 'both', expires_at: inDays(3) } as const
  const folder = await buildFolder(ann)
  const columns = columnsIn('links').filter(column => column !== 'password_hash')
  const made = await damageAll('links', columns, () => buildLink(ann, folder, terms))
  const harmless = ['label', 'ask_name', 'opened', 'uploads', 'bytes_in', 'last_used_at', 'lock_turn', 'visit_round']
  expect(await columnsOf(made, opens)).toEqual(harmless)
})

test('a link that was made too long ago for the rules stays dead when its time is damaged and repaired', async () => {
  const link = await buildLink(ann, await buildFolder(ann), { expires_at: inDays(20) })
  await spoilRows(server, `UPDATE links SET created_at = created_at - ${100 * day} WHERE id = ${link.id}`)
  await admin.call(updateSharingSettings, { link_max_days: 30 })
  const status = async () => (await openVisitor(server.url, link.token).raw('')).status
  expect(await status()).toBe(404)
  await damage('links', 'created_at', link.id)
  await runFsck(server, '--repair')
  expect(await status()).toBe(404)
  await admin.call(updateSharingSettings, { link_max_days: 0 })
})

test('a share with a damaged column gives access after the repair only if the column limits nothing', async () => {
  const make = async () => {
    const { id: item } = await buildFolder(ann)
    return { item, id: (await buildShare(ann, { id: item }, ben, 'edit')).id }
  }
  const made = await damageAll('shares', columnsIn('shares'), make)
  const received = (await ben.call(listReceived, {})).shares.map(({ item }) => item.id)
  expect(await columnsOf(made, async ({ item }) => received.includes(item))).toEqual(['created_at'])
})

test('a session with a damaged column has ended after the repair', async () => {
  const make = async () => {
    const client = await signIn(server.url, ben.username, ben.password)
    const row = await server.deps.db.row<{ id: number }>('SELECT MAX(id) AS id FROM sessions')
    return { client, id: row?.id ?? 0 }
  }
  const made = await damageAll('sessions', columnsIn('sessions'), make)
  const works = async ({ client }: { client: TestClient }) => (await client.raw('/api/auth/profile')).status === 200
  expect(await columnsOf(made, works)).toEqual([])
})
