/** Migrations of a database in use: each step down keeps the rows of its tables, and so does the way up. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { type Database, openDatabase } from '../../src/db/database.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { migrateDown } from '../../src/db/run-migrations.ts'
import { findTables, type Row, readSlices } from '../../src/db/tables.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { buildField, buildFile } from '../support/factories.ts'
import { onlyOn } from '../support/only-on.ts'
import { spoilRows } from '../support/spoil.ts'
import { createDatabase, type TestDatabase } from '../support/test-server.ts'
import { dataFlags } from './administration.ts'

/** Tables that are filled from other rows. */
const derived = ['folder_counts', 'type_counts']

let dataDir: string
let database: TestDatabase
let config: Config['database']
/** All rows of every table before the first step down. */
let before: Map<string, Row[]>

const flags = () => dataFlags({ dataDir, databaseFlag: database.flag })

async function withDatabase<T>(look: (db: Database) => Promise<T>): Promise<T> {
  const db = await openDatabase(config)
  try {
    return await look(db)
  } finally {
    await db.close()
  }
}

async function readRows(db: Database): Promise<Map<string, Row[]>> {
  const rows = new Map<string, Row[]>()
  for (const table of await findTables(db)) {
    // Some steps fill this table again, with the counts of a quarter of an hour.
    if (table.name === 'shared_counts') continue
    const all: Row[] = []
    for await (const slice of readSlices(db, table)) all.push(...slice)
    // Filled when the next user is made.
    for (const row of table.name === 'users' ? all : []) delete row.username_skeleton
    // Lost on the way down: the feed begins anew.
    for (const row of table.name === 'events' ? all : []) delete row.revision
    // Comes back as that of the owner's account.
    for (const row of table.name === 'spaces' ? all : []) delete row.created_at
    // Each step saves which programs can work on the tables.
    if (table.name === 'server_state') all.splice(0, all.length, ...all.filter(({ key }) => key !== 'least_schema'))
    // A count that is 0 may be absent after it is counted again.
    rows.set(table.name, derived.includes(table.name) ? all.filter(({ items }) => items !== 0) : all)
  }
  return rows
}

/** The definitions, keys and triggers of all tables of a MariaDB. */
async function readTables(db: Database): Promise<object[]> {
  const tables = await db.rows<{ name: string }>(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY table_name',
  )
  const made: object[] = []
  for (const { name } of tables) {
    const [row] = await db.rows<{ 'Create Table': string }>(`SHOW CREATE TABLE \`${name}\``)
    const parts = row?.['Create Table'].replace(/ AUTO_INCREMENT=\d+/, '').split(/,?\n/) ?? []
    // A migration that runs again makes its index anew, which then stands behind later ones.
    const isIndex = (part: string) => /^ *(UNIQUE )?KEY /.test(part)
    made.push({ name, parts: parts.filter(part => !isIndex(part)), indexes: parts.filter(isIndex).sort() })
  }
  const triggers = `SELECT trigger_name, event_manipulation, action_statement FROM information_schema.triggers
    WHERE trigger_schema = DATABASE() ORDER BY trigger_name`
  return [...made, ...(await db.rows(triggers))]
}

/** A row reduced to the columns of another one. */
const likeOf = (row: Row, other: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([column]) => column in other))

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-migrate-'))
  database = await createDatabase()
  config = readConfig({ dataDir, database: database.flag }).database
  // The accounts of the demo have folders, files of many kinds and tags.
  const server = await serveBinary([...flags(), '--demo'])
  const password = 'demo-admin-2026'
  const admin = await signIn(server.url, 'admin', password)
  const field = await buildField(admin)
  await buildFile(admin, { metadata: [{ field_id: field.id, value: 'a value' }] })
  const device = { kind: 'device', current_password: password } as const
  await admin.call(createApiKey, { name: 'a key', permissions: ['files:read'], ...device })
  await server.stop()
  before = await withDatabase(readRows)
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

describe('migrations of a database in use', () => {
  test('start with rows in every table', () => {
    for (const table of [
      'users',
      'api_keys',
      'files',
      'blobs',
      'tags',
      'file_tags',
      'file_metadata',
      'events',
      ...derived,
    ]) {
      expect(before.get(table)?.length, table).toBeGreaterThan(0)
    }
  })

  test('fill counters and the search index again, and fsck finds nothing', async () => {
    const first = migrations.findIndex(({ name }) => name.endsWith('file-lists'))
    const steps = migrations.slice(first).map(({ name }) => name)
    expect((await migrateDown(config, steps.length)).names).toEqual([...steps].reverse())
    const remaining = await withDatabase(async db => (await findTables(db)).map(({ name }) => name))
    expect(await migrateUp(config)).toEqual(steps)
    const after = await withDatabase(readRows)
    // The rows of the other tables went with them.
    for (const table of [...remaining, ...derived]) expect(after.get(table), table).toEqual(before.get(table))
    before = after
    const { exitCode, stdout } = await runBinary(['fsck', ...flags()])
    expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
  })

  test('keep the rows of the remaining tables at every step down, and on the way up', async () => {
    for (const { name } of [...migrations].reverse()) {
      expect((await migrateDown(config, 1)).names).toEqual([name])
      const rows = await withDatabase(readRows)
      for (const [table, found] of rows) {
        const [example] = found
        // A table that a later migration removes comes back empty.
        const kept = example === undefined ? [] : before.get(table)?.map(row => likeOf(row, example))
        expect(found, `${table} after ${name}`).toEqual(kept)
        expect(found.length, `${table} after ${name}`).toBe(before.get(table)?.length ?? 0)
      }
    }
    expect(await migrateUp(config)).toEqual(migrations.map(({ name }) => name))
  })

  test('change nothing when one runs again that was killed before it was recorded', async context => {
    // SQLite rolls a whole migration back, but MariaDB commits each change to a table.
    onlyOn('mariadb', context)
    const read = () => withDatabase(async db => ({ rows: await readRows(db), tables: await readTables(db) }))
    const whole = await read()
    for (const { name, up } of migrations) {
      const again = spoilRows({ dataDir, databaseFlag: database.flag }, ...up.mariadb)
      await expect(again, name).resolves.toBeUndefined()
    }
    expect(await read()).toEqual(whole)
  })
})
