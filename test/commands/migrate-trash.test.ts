/** Migrations with a folder in the trash: the items inside stay in the trash on the way down and up. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrations } from '../../migrations/index.ts'
import { getFileByPath } from '../../src/api/files.ts'
import { restoreFile, trashFile } from '../../src/api/trash.ts'
import { type Config, readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/db/database.ts'
import { migrateUp } from '../../src/db/migrate.ts'
import { migrateDown } from '../../src/db/run-migrations.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { buildFile, buildFolder } from '../support/factories.ts'
import { createDatabase, type TestDatabase } from '../support/test-server.ts'
import { dataFlags } from './administration.ts'

let dataDir: string
let database: TestDatabase
let config: Config['database']

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-migrate-'))
  database = await createDatabase()
  config = readConfig({ dataDir, database: database.flag }).database
})
afterAll(async () => {
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

const flags = () => dataFlags({ dataDir, databaseFlag: database.flag })

/** Lends a server on the data folder. */
async function withServer<T>(use: (client: Awaited<ReturnType<typeof signIn>>) => Promise<T>): Promise<T> {
  const server = await serveBinary([...flags(), '--demo'])
  try {
    return await use(await signIn(server.url, 'admin', 'demo-admin-2026'))
  } finally {
    await server.stop()
  }
}

/** Items in the trash without a time of deletion, and all items in the trash. */
async function countTrash() {
  const db = await openDatabase(config)
  try {
    return await db.row<{ hidden: number; items: number }>(
      'SELECT COALESCE(SUM(deleted_at IS NULL), 0) AS hidden, COUNT(*) AS items FROM files WHERE trash_root_id IS NOT NULL',
    )
  } finally {
    await db.close()
  }
}

test('a folder in the trash is restored completely after migrations down and up', async () => {
  const folder = await withServer(async admin => {
    const folder = await buildFolder(admin, 'trashed')
    await buildFile(admin, { name: 'along.txt', parent_id: folder.id })
    await admin.call(trashFile, { id: folder.id })
    return folder
  })
  const before = await countTrash()
  expect(before?.hidden).toBe(1)
  const first = migrations.findIndex(({ name }) => name.endsWith('count-changed-live'))
  await migrateDown(config, migrations.length - first)
  expect(await countTrash()).toEqual({ ...before, hidden: 0 })
  await migrateUp(config)
  await withServer(async admin => {
    await admin.call(restoreFile, { id: folder.id })
    expect((await admin.call(getFileByPath, { path: '/trashed/along.txt' })).file.parent_id).toBe(folder.id)
  })
  const { exitCode, stdout } = await runBinary(['fsck', ...flags()])
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 })
})
