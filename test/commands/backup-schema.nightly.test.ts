/** Tables and columns that are not those of filestore: backup, `--verify` and `restore` name them. */
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { formatManifest } from '../../src/commands/backup/manifest.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { largeContent } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann', storageQuota: Number.MAX_SAFE_INTEGER })
  folder = await backups.openFolder()
})
afterEach(() => server.close())

interface Damage {
  what: string
  statements: string[]
  /** Reported by all three commands. */
  told: string[]
  /** Reported by the restore alone. */
  handled: string[]
}

const damages: Damage[] = [
  {
    what: 'a column whose name has changed by one bit',
    statements: ['ALTER TABLE files RENAME COLUMN modified_at TO modibied_at'],
    told: ['table files: its column modified_at is missing', 'table files: its column modibied_at is not of filestore'],
    handled: ['table files: its column modibied_at is read as modified_at'],
  },
  {
    what: 'a column too many',
    statements: ['ALTER TABLE files ADD COLUMN note VARCHAR(20)', "UPDATE files SET note = 'mine'"],
    told: ['table files: its column note is not of filestore'],
    handled: ['table files: its column note is left out'],
  },
  {
    what: 'a column too few',
    statements: ['ALTER TABLE files DROP COLUMN validation_comment'],
    told: ['table files: its column validation_comment is missing'],
    handled: [],
  },
  ...['events', 'file_tags', 'file_metadata'].map(table => ({
    what: `no table ${table}`,
    statements: [`DROP TABLE ${table}`],
    told: [`table ${table}: it is missing`],
    handled: [],
  })),
  {
    what: 'a table too many, even without a key',
    statements: ['CREATE TABLE notes (note VARCHAR(20))', "INSERT INTO notes VALUES ('mine')"],
    told: ['table notes: it is not of filestore, and not in the backup'],
    handled: [],
  },
  {
    what: 'a gap among the migrations',
    statements: ["DELETE FROM migrations WHERE name = '0013-tags'"],
    told: ['table migrations: it lacks 0013-tags'],
    handled: [],
  },
  {
    what: 'a changed name of a migration',
    statements: ["UPDATE migrations SET name = '0013-tacs' WHERE name = '0013-tags'"],
    told: ['table migrations: it lacks 0013-tags; no migration is called 0013-tacs'],
    handled: [],
  },
  {
    what: 'an empty list of migrations',
    statements: ['DELETE FROM migrations'],
    told: ['table migrations: it is empty'],
    handled: [],
  },
]

describe('a database with', () => {
  test.each(damages)('$what is named, and all else is restored', async ({ statements, told, handled }) => {
    const content = largeContent()
    await buildFile(ann, { name: 'kept.bin' }, content)
    await spoilRows(server, 'UPDATE files SET modified_at = 1580608922000')
    const { snapshot: whole } = await backups.backUp(server, folder)
    await spoilRows(server, ...statements)
    const made = await runOn(server, ['backup', folder, '--keep', '1'])
    expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining(`${whole} stays`) })
    for (const words of told) expect(made.stderr).toContain(words)

    const verified = await runOn(server, ['backup', '--verify', folder])
    expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining(`${whole}  whole`) })
    for (const words of told) expect(verified.stdout.split(words)).toHaveLength(2)

    const site = await backups.openSite()
    const restored = await runOn(site, ['restore', folder])
    expect(restored.code).toBe(1)
    for (const words of [...told, ...handled]) expect(restored.stderr.split(words)).toHaveLength(2)
    expect((await backups.readWhole(site)).get('kept.bin')).toEqual(content)
    const [row] = await backups.withDatabaseOf(site, db => db.rows('SELECT modified_at FROM files'))
    expect(row).toEqual({ modified_at: 1_580_608_922_000 })
    expect((await runOn(site, ['fsck'])).stdout).not.toMatch(/^lost/m)
  })
})

/** The snapshot that an older filestore made of a database whose migrations were lost: it has no tables. */
async function addEmptySnapshot(): Promise<string> {
  const { digest: _digest, ...manifest } = { digest: '', ...(await backups.readManifest(folder)) }
  const snapshot = manifest.snapshot.replace(/.$/, 'a')
  const empty = { ...manifest, snapshot, migrations: [], tables: [], contents: { count: 0, bytes: 0 } }
  await writeFile(join(folder, 'snapshots', `${snapshot}.json`), formatManifest(empty))
  return snapshot
}

test('a snapshot without tables is not whole: --verify names it, and --keep keeps the whole one before it', async () => {
  const { snapshot: whole } = await backups.backUp(server, folder)
  const empty = await addEmptySnapshot()
  const verified = await runOn(server, ['backup', '--verify', folder])
  expect(verified).toMatchObject({ code: 1, stdout: expect.stringContaining('table migrations: it is empty') })
  await spoilRows(server, 'ALTER TABLE files ADD COLUMN note VARCHAR(20)')
  const made = await runOn(server, ['backup', folder, '--keep', '1'])
  expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining(`${whole} stays`) })
  expect(await backups.listSnapshots(folder)).toContain(whole)
  expect(await backups.listSnapshots(folder)).not.toContain(empty)
})
