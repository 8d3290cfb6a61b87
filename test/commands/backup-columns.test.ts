/** Backups written by hand, with the right hashes, in which one row has other columns than its table. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SavedRow } from '../../src/commands/backup/decode-rows.ts'
import { type BuiltUser, buildFile, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser
let folder: string
let ids: Record<string, number>

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server, { username: 'ann' })
  ids = {}
  for (const name of ['a.txt', 'b.txt', 'c.txt']) ids[name] = (await buildFile(ann, { name }, name)).id
  folder = await backups.openFolder()
  await backups.backUp(server, folder)
})
afterEach(() => server.close())

const verify = () => runOn(server, ['backup', '--verify', folder])

interface Damage {
  what: string
  /** Changes the row of b.txt. */
  change(row: SavedRow): SavedRow
  told: string[]
  handled: string[]
  /** The names of the files. */
  restored: string[]
}

const all = ['a.txt', 'b.txt', 'c.txt']
const damages: Damage[] = [
  ...['evil', '__proto__', 'constructor'].map(column => ({
    what: `an unknown column ${column}`,
    change: (row: SavedRow) => ({ ...row, [column]: 1 }),
    told: [`its column ${column} is not of filestore`],
    handled: [`its column ${column} is left out`],
    restored: all,
  })),
  {
    what: 'nam instead of name',
    change: ({ name = null, ...row }) => ({ ...row, nam: name }),
    told: ['its column nam is not of filestore', 'its column name is missing', 'it has no name'],
    handled: ['its column nam is left out', 'it has no name; mended'],
    restored: ['a.txt', expect.any(String), 'c.txt'],
  },
  {
    what: 'a name that differs by one bit from name',
    change: ({ name = null, ...row }) => ({ ...row, namd: name }),
    told: ['its column namd is not of filestore', 'its column name is missing'],
    handled: ['its column namd is read as name'],
    restored: all,
  },
  {
    what: 'a lack of a column that no row is without',
    change: ({ space_id: _spaceId, ...row }) => row,
    told: ['its column space_id is missing', 'it has no space_id'],
    handled: ['it has no space_id; left out'],
    restored: ['a.txt', 'c.txt'],
  },
  {
    what: 'a lack of a column that may be empty',
    change: ({ validation_comment: _comment, ...row }) => row,
    told: ['its column validation_comment is missing'],
    handled: [],
    restored: all,
  },
]

test('a name of any length is told with its beginning', async () => {
  const column = 'x'.repeat(1_000_000)
  await backups.rewriteRows(folder, (table, rows) =>
    rows.map((row, at) => (table === 'files' && at === 0 ? { ...row, [column]: 1 } : row)),
  )
  const { code, stdout } = await verify()
  expect({ code, told: stdout.includes(`its column ${'x'.repeat(900)}`) }).toEqual({ code: 1, told: true })
  expect(stdout.length).toBeLessThan(10_000)
})

describe('one row with', () => {
  test.each(damages)('$what is named by --verify, and all others are restored', async damage => {
    const id = ids['b.txt']
    await backups.rewriteRows(folder, (table, rows) =>
      rows.map(row => (table === 'files' && row.id === id ? damage.change(row) : row)),
    )
    const verified = await verify()
    expect(verified.code).toBe(1)
    for (const words of damage.told) expect(verified.stdout.split(`files ${id}: ${words}`)).toHaveLength(2)
    const site = await backups.openSite()
    const restored = await runOn(site, ['restore', folder])
    expect(restored.code).toBe(1)
    for (const words of damage.handled) expect(restored.stderr).toContain(`files ${id}: ${words}`)
    const rows = await backups.withDatabaseOf(site, db =>
      db.rows<{ name: string }>('SELECT name FROM files ORDER BY id'),
    )
    expect(rows.map(({ name }) => name)).toEqual(damage.restored)
  })
})
