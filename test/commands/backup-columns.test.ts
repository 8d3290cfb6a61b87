/** Backups written by hand, with the right hashes, in which one row has other columns than its table. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SavedRow } from '../../src/commands/backup/decode-rows.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
/** By the name of the file. */
const ids = new Map<string, number>()

interface Damage {
  what: string
  /** Changes the row of a file that is called by `what`. */
  change(row: SavedRow): SavedRow
  told: string[]
  handled: string[]
  /** The file's name after a restore; null if it is left out. */
  restored?: string | null
}

const damages: Damage[] = [
  ...['evil', '__proto__', 'constructor'].map(column => ({
    what: `an unknown column ${column}`,
    change: (row: SavedRow) => ({ ...row, [column]: 1 }),
    told: [`its column ${column} is not of filestore`],
    handled: [`its column ${column} is left out`],
  })),
  {
    what: 'nam instead of name',
    change: ({ name = null, ...row }) => ({ ...row, nam: name }),
    told: ['its column nam is not of filestore', 'its column name is missing', 'it has no name'],
    handled: ['its column nam is left out', 'it has no name; mended'],
    restored: expect.any(String),
  },
  {
    what: 'a name that differs by one bit from name',
    change: ({ name = null, ...row }) => ({ ...row, namd: name }),
    told: ['its column namd is not of filestore', 'its column name is missing'],
    handled: ['its column namd is read as name'],
  },
  {
    what: 'a lack of a column that no row is without',
    change: ({ space_id: _spaceId, ...row }) => row,
    told: ['its column space_id is missing', 'it has no space_id'],
    handled: ['it has no space_id; left out'],
    restored: null,
  },
  {
    what: 'a lack of a column that may be empty',
    change: ({ validation_comment: _comment, ...row }) => row,
    told: ['its column validation_comment is missing'],
    handled: [],
  },
]

beforeAll(async () => {
  server = await startServer()
  const ann = await buildUser(server, { username: 'ann' })
  for (const name of ['a.txt', ...damages.map(({ what }) => what), 'z.txt']) {
    ids.set(name, (await buildFile(ann, { name }, name)).id)
  }
})
afterAll(() => server.close())

async function backUp(): Promise<string> {
  const folder = await backups.openFolder()
  await backups.backUp(server, folder)
  return folder
}

const verify = (folder: string) => runOn(server, ['backup', '--verify', folder])

test('a name of any length is told with its beginning', async () => {
  const folder = await backUp()
  const column = 'x'.repeat(1_000_000)
  await backups.rewriteRows(folder, (table, rows) =>
    rows.map((row, at) => (table === 'files' && at === 0 ? { ...row, [column]: 1 } : row)),
  )
  const { code, stdout } = await verify(folder)
  expect({ code, told: stdout.includes(`its column ${'x'.repeat(900)}`) }).toEqual({ code: 1, told: true })
  expect(stdout.length).toBeLessThan(10_000)
})

test('rows with other columns are named by --verify, and all others are restored', async () => {
  const folder = await backUp()
  const changes = new Map(damages.map(({ what, change }) => [ids.get(what), change]))
  await backups.rewriteRows(folder, (table, rows) =>
    rows.map(row => (table === 'files' ? (changes.get(Number(row.id))?.(row) ?? row) : row)),
  )
  const verified = await verify(folder)
  const site = await backups.openSite()
  const restored = await runOn(site, ['restore', folder])
  expect([verified.code, restored.code]).toEqual([1, 1])
  const rows = await backups.withDatabaseOf(site, db =>
    db.rows<{ id: number; name: string }>('SELECT id, name FROM files'),
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  for (const { what, told, handled, restored: name = what } of damages) {
    const id = ids.get(what) ?? 0
    for (const words of told) expect(verified.stdout.split(`files ${id}: ${words}`), what).toHaveLength(2)
    for (const words of handled) expect(restored.stderr, what).toContain(`files ${id}: ${words}`)
    expect(names.get(id) ?? null, what).toEqual(name)
  }
  for (const name of ['a.txt', 'z.txt']) expect(names.get(ids.get(name) ?? 0)).toBe(name)
})
