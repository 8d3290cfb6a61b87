/**
 * Every column of every table, each damaged in one row: `filestore fsck` names all damage, repairs it, and then finds
 * nothing.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listAudit } from '../../src/api/events.ts'
import { listApiKeys } from '../../src/api/keys.ts'
import { listFields } from '../../src/api/metadata.ts'
import type { Database } from '../../src/db/database.ts'
import { findTables, type Table } from '../../src/db/tables.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildField,
  buildFile,
  buildKey,
  buildRole,
  buildTag,
  buildUser,
} from '../support/factories.ts'
import { largeContent, plantThumbnail } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { plantUpload } from '../support/uploads.ts'
import { buildLink } from '../support/visitor.ts'
import { runOn } from './administration.ts'
import { openFolder, openSite } from './backups.ts'
import { damagedElsewhere, derivedOtherwise, nonsense, unnoticed } from './fsck-columns.ts'
import { type FsckOutcome, runFsck } from './fsck-run.ts'

/** Tables that a backup does not include. */
const madeAnew = ['sessions', 'link_visits', 'nodes', 'file_thumbnails', 'shared_counts', 'uploads']

let server: TestServer
let user: BuiltUser
let admin: TestClient
let tables: Table[]
/** `table column`, and the beginning of the name in the expected finding. */
const damages: { table: string; column: string; name: string }[] = []
let found: FsckOutcome
let repair: FsckOutcome
let after: FsckOutcome

async function times(count: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let index = 0; index < count; index += 1) await work(index)
}

/** Shares of a user's folders with others, and groups with a member. */
async function plantShares(db: Database): Promise<void> {
  await db.touch(async () => {
    await db.change(
      `INSERT INTO shares (space_id, item_id, user_id, level, created_at)
       SELECT f.space_id, f.id, u.id, 'view', 1 FROM files f JOIN users u ON u.id <> f.owner_id
       WHERE f.owner_id = $1 ORDER BY f.id, u.id LIMIT 6`,
      [user.id],
    )
    for (const name of ['one', 'two', 'three', 'four']) {
      const group_id = await db.insert(db.userGroups, { name, name_key: name, kind: 'listed' })
      await db.insertAll(db.groupMembers, [{ user_id: user.id, group_id, created_at: 1 }])
    }
  })
}

/** Makes more rows in every table than it has columns. */
async function plantRows(): Promise<void> {
  const { db } = server.deps
  const field = await buildField(admin)
  await times(9, () => buildField(admin, { field_type: 'select', options: ['one', 'two'] }))
  const metadata = [{ field_id: field.id, value: 'A value' }]
  await times(14, async () => {
    const file = await buildFile(user, { metadata }, largeContent())
    await plantThumbnail(server, file.id)
  })
  await times(16, () => buildKey(server, user, ['files:read']))
  await times(4, () => buildTag(user))
  await times(6, () => buildRole(server, ['files:read']))
  await times(16, () => buildUser(server))
  await plantShares(db)
  await times(16, async index => {
    const link = await buildLink(user, await buildFile(user))
    await db.touch(() =>
      db.insertAll(db.linkVisits, [
        { hash: `${index}`.padStart(64, '0'), item_id: 0, link_id: link.id, round: null, expires_at: 1 },
      ]),
    )
  })
  await times(8, () => signIn(server.url, user.username, user.password))
  await times(18, () => plantUpload(server, user))
  await db.touch(async () => {
    for (const name of ['one', 'two', 'three', 'four']) {
      await db.change('INSERT INTO leases (name, holder, expires_at) VALUES ($1, $1, 0)', [`test:${name}`])
      await db.change('INSERT INTO shared_counts (name, points, ends_at) VALUES ($1, 1, 1)', [`test:${name}`])
      await db.change('INSERT INTO server_state (`key`, value) VALUES ($1, 1)', [`test:${name}`])
    }
    await times(8, index =>
      db.change(
        `INSERT INTO nodes (node_id, name, version, \`schema\`, address, clock_skew, started_at, seen_at)
         VALUES ($1, 'test', '1', '0001-permissions', 'http://test', 0, 1, 1)`,
        [`${index}`],
      ),
    )
  })
}

/** Conditions for the rows to damage. They exclude rows that the test needs, whose damage would hide other damage. */
const chosen: Record<string, string> = {
  leases: "name LIKE 'test:%'",
  shared_counts: "name LIKE 'test:%'",
  server_state: "`key` LIKE 'test:%'",
  metadata_fields: "field_type = 'select'",
  roles: 'is_system = 0',
  sessions: 'user_id = ($user)',
  spaces: "owner_id IN (SELECT id FROM users WHERE username LIKE 'user-%') AND owner_id <> ($user)",
  users: "username LIKE 'user-%' AND id <> ($user)",
}

async function damageTable({ name, key }: Table): Promise<void> {
  const columns = Object.entries(nonsense[name] ?? {})
  const where = (chosen[name] ?? '1 = 1').replace('($user)', String(user.id))
  const keys = key.map(column => `\`${column}\``).join(', ')
  const rows = await server.deps.db.rows<Record<string, string | number>>(
    `SELECT ${keys} FROM ${name} WHERE ${where} ORDER BY ${keys}`,
  )
  // Takes the last rows, because the test itself uses the first session.
  const spoilt = rows.slice(-columns.length)
  if (spoilt.length < columns.length) throw new Error(`${name} has too few rows`)
  for (const [at, [column, value]] of columns.entries()) {
    const values = key.map(part => spoilt[at]?.[part] ?? '')
    const those = key.map((part, place) => `\`${part}\` = '${values[place]}'`).join(' AND ')
    await spoilRows(server, `UPDATE ${name} SET \`${column}\` = ${value} WHERE ${those}`)
    damages.push({
      table: name,
      column,
      // A damaged key is the row's name from then on.
      name: `${name} ${key.map((part, place) => (part === column ? value.replace(/^'|'$/g, '') : values[place])).join('/')}`,
    })
  }
}

const isNamed = (outcome: FsckOutcome, name: string): boolean =>
  outcome.findings.some(finding => finding.problem === 'row-value' && `${finding.name} `.startsWith(`${name} `))

beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  user = await buildUser(server)
  tables = await findTables(server.deps.db)
  await plantRows()
  for (const table of tables) await damageTable(table)
  found = await runFsck(server)
}, 240_000)
afterAll(() => server.close())

test('every column has a damage, or a reason why fsck cannot see one', () => {
  const known = (table: string): string[] => [
    ...Object.keys(nonsense[table] ?? {}),
    ...(damagedElsewhere[table] ?? []),
    ...(unnoticed[table] ?? []),
  ]
  const columns = tables.flatMap(({ name, columns: all }) => all.map(column => `${name} ${column.name}`))
  const listed = tables.flatMap(({ name }) => known(name).map(column => `${name} ${column}`))
  expect(listed.sort()).toEqual(columns.sort())
})

test('fsck names each damaged column', () => {
  expect(damages.filter(({ name }) => !isNamed(found, name))).toEqual([])
  expect(found.code).toBe(11)
})

test('lists work while rows are damaged, and leave out values that cannot be read', async () => {
  const keys = (await user.call(listApiKeys, {})).api_keys
  expect(keys.some(({ permissions }) => permissions.length === 0)).toBe(true)
  const fields = await admin.call(listFields, {})
  expect(fields.some(({ options }) => options?.length === 0)).toBe(true)
  expect((await admin.call(listAudit, { limit: 1000 })).events.length).toBeGreaterThan(20)
})

test('a backup includes the damage; backup, --verify, restore and fsck after it name it', async () => {
  const folder = await openFolder()
  const site = await openSite()
  const backup = await runOn(server, ['backup', folder, '--json'])
  const verified = await runOn(server, ['backup', '--verify', folder, '--json'])
  const restored = await runOn(site, ['restore', folder, '--json'])
  expect([backup.code, verified.code, restored.code]).toEqual([1, 1, 1])
  const carried = damages.filter(({ table }) => !madeAnew.includes(table))
  const held = carried.filter(({ table, column }) => !derivedOtherwise.includes(`${table} ${column}`))
  const told = [JSON.parse(backup.stdout), ...JSON.parse(verified.stdout).snapshots, JSON.parse(restored.stdout)]
  for (const { problems } of told) {
    const isTold = (name: string) => problems.some((problem: string) => problem.startsWith(`${name}:`))
    expect(held.filter(({ name }) => !isTold(name))).toEqual([])
  }
  const again = await runFsck(site)
  expect(carried.filter(({ name }) => !isNamed(again, name))).toEqual([])
}, 120_000)

test('--repair repairs everything except lost values, and then finds nothing else', async () => {
  repair = await runFsck(server, '--repair')
  expect(repair.findings.filter(({ verdict, repaired }) => verdict === 'repairable' && !repaired)).toEqual([])
  after = await runFsck(server)
  expect(after.findings.filter(({ verdict }) => verdict === 'repairable')).toEqual([])
  // Nothing else holds a content's key, location and hash, a user's or a link's password, or a field's name.
  const lost = new Set(
    after.findings.filter(({ problem }) => problem === 'row-value').map(({ name }) => name.split(' ')[0]),
  )
  expect([...lost].sort()).toEqual(['blobs', 'links', 'metadata_fields', 'users'])
}, 120_000)
