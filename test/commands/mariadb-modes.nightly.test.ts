/**
 * A MariaDB with other settings than the defaults: it stores the same data, and the log names limits that are too low.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type TestContext, test } from 'vitest'
import { listAudit } from '../../src/api/events.ts'
import { listFields, updateField } from '../../src/api/metadata.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { serveBinary } from '../support/binary.ts'
import { buildField, buildUser } from '../support/factories.ts'
import { createMariadb } from '../support/mariadb-process.ts'
import { startServer } from '../support/server.ts'

// Starting a MariaDB takes long on a busy machine.
const timeout = 120_000

/** The longest options that a field may have: 78 KB of JSON. */
const options = Array.from({ length: 200 }, (_, index) => `${'😀'.repeat(97)}${index}`)

test('a MariaDB that truncates long values stores complete values', { timeout }, async context => {
  const mariadb = await createMariadb(context, ['--sql-mode='])
  context.onTestFinished(() => mariadb.remove())
  const server = await startServer({ database: mariadb.url })
  context.onTestFinished(() => server.close())
  const admin = await buildUser(server, { role: 'admin' })
  const field = await buildField(admin, { field_type: 'select', options: ['one'] })
  await admin.call(updateField, { id: field.id, options })
  expect((await admin.call(listFields, {})).find(({ id }) => id === field.id)?.options).toEqual(options)
  const { events } = await admin.call(listAudit, { action: 'metadata-field.update' })
  expect(events.map(({ detail }) => detail)).toEqual([{ name: field.name, options: options.length }])
  const tooLong = server.deps.db.touch(() => server.deps.db.change('UPDATE users SET username = $1', ['x'.repeat(256)]))
  await expect(tooLong).rejects.toThrow(/too long/)
})

test('a MariaDB with other quoting rules can be migrated and used', {
  timeout,
}, async context => {
  const mariadb = await createMariadb(context, ['--sql-mode=ANSI'])
  context.onTestFinished(() => mariadb.remove())
  // Otherwise the server of a test copies tables and triggers that another database's migration made.
  await migrateUp({ dialect: 'mariadb', url: mariadb.url })
  const server = await startServer({ database: mariadb.url })
  context.onTestFinished(() => server.close())
  await expect(buildUser(server)).resolves.toBeDefined()
  const modes = await mariadb.run(
    "SELECT DISTINCT sql_mode AS mode FROM information_schema.triggers WHERE trigger_schema = 'filestore'",
  )
  expect(modes).toEqual([{ mode: expect.stringMatching(/^STRICT_ALL_TABLES/) }])
})

/** The log of a server from start to stop. */
async function startOn({ onTestFinished }: TestContext, url: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'filestore-test-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const server = await serveBinary(['--data-dir', dataDir, '--database', url])
  await server.stop()
  return String((await server.child).stderr)
}

test('the log names the limits of a MariaDB that are too low', { timeout }, async context => {
  const mariadb = await createMariadb(context, [
    '--max-allowed-packet=1M',
    '--max-connections=11',
    '--innodb-flush-log-at-trx-commit=2',
  ])
  context.onTestFinished(() => mariadb.remove())
  const log = await startOn(context, mariadb.url)
  expect(log).toMatch(/"needed":16777216,"allowed":1048576.*max_allowed_packet/)
  expect(log).toMatch(/"set":2.*innodb_flush_log_at_trx_commit/)
  expect(log).toMatch(/"needed":12,"allowed":11.*max_connections/)
})

test('a MariaDB with default settings causes no warning', { timeout }, async context => {
  const mariadb = await createMariadb(context)
  context.onTestFinished(() => mariadb.remove())
  expect(await startOn(context, mariadb.url)).not.toMatch(/max_allowed_packet|max_connections|innodb_flush/)
})
