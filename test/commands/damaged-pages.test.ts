/** Damaged pages of SQLite's file, one of each kind: `filestore fsck` names them, and no command hangs or crashes. */
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runBinary } from '../support/binary.ts'
import { onlyOn } from '../support/only-on.ts'
import { buildWhole, expectSentence, expectVerdict, sectorSize, type Whole, withDamaged } from './damaged-pages.ts'

let whole: Whole
beforeAll(async () => {
  whole = await buildWhole()
})
afterAll(() => whole.remove())

/** The position of a part of the first page of a table or an index: the head comes first, the rows last. */
const inPage = (name: string, part: 'head' | 'rows'): number =>
  whole.rootOf(name) * whole.pageSize - (part === 'head' ? whole.pageSize : sectorSize)

/** The sector with a text. */
const sectorOf = (text: string): number => Math.floor(whole.bytes.indexOf(text) / sectorSize) * sectorSize

/** The first page of the free list (SQLite's file format, section 1.3.11). */
const freePage = (): number => (whole.bytes.readUInt32BE(32) - 1) * whole.pageSize

interface Damage {
  what: string
  at(): number
  /** The name in the expected finding. */
  name: string | RegExp
}

const damages: readonly Damage[] = [
  { what: 'the head of the file', at: () => 0, name: 'the database' },
  { what: 'the list of tables', at: () => sectorOf('CREATE TABLE file_tags'), name: 'the database' },
  { what: 'the page on which that list begins', at: () => whole.pageSize - sectorSize, name: 'the database' },
  { what: 'migrations', at: () => inPage('migrations', 'rows'), name: /migrations|the database/ },
  { what: 'spaces', at: () => inPage('spaces', 'rows'), name: 'table spaces' },
  { what: 'the head of a page of spaces', at: () => inPage('spaces', 'head'), name: 'table spaces' },
  { what: 'files', at: () => sectorOf('small 7.txt'), name: 'table files' },
  { what: 'users', at: () => inPage('users', 'rows'), name: 'table users' },
  { what: 'blobs', at: () => inPage('blobs', 'rows'), name: 'table blobs' },
  { what: 'an index', at: () => inPage('files_name', 'rows'), name: 'index files_name' },
  { what: 'the head of an index', at: () => inPage('users_role', 'head'), name: 'index users_role' },
  {
    what: 'the head of an index of some rows',
    at: () => inPage('files_trash_root', 'head'),
    name: 'index files_trash_root',
  },
  { what: 'the list of free pages', at: freePage, name: 'table sqlite_schema' },
]

describe('512 zeroed bytes', () => {
  test.for(damages)('in $what are reported by fsck, and every command ends', async ({ at, name }, context) => {
    onlyOn('sqlite', context)
    const bytes = Buffer.from(whole.bytes)
    bytes.fill(0, at(), at() + sectorSize)
    await withDamaged(whole, bytes, async site => {
      const { verdict, findings } = await expectVerdict(site)
      expect(findings.map(finding => finding.name)).toContainEqual(
        typeof name === 'string' ? name : expect.stringMatching(name),
      )
      expect(verdict).toBe('lost')
      await expectVerdict(site, '--hash')
      await expectSentence(site, 'migrate', 'status')
      await expectSentence(site, 'export', join(site.dataDir, 'out'))
      await rm(join(site.dataDir, 'out'), { recursive: true, force: true })
      const repaired = await expectVerdict(site, '--repair', '--hash')
      expect(repaired).toMatchObject({ verdict: 'lost', counts: { repaired: 0 } })
    })
  })

  test('in the list of tables are reported with the remedy, also by a server that cannot start', async context => {
    onlyOn('sqlite', context)
    const bytes = Buffer.from(whole.bytes)
    const at = sectorOf('CREATE TABLE file_tags')
    bytes.fill(0, at, at + sectorSize)
    await withDamaged(whole, bytes, async site => {
      const { findings, counts } = await expectVerdict(site)
      expect(counts).toEqual({ ok: 0, repairable: 0, repaired: 0, lost: 1 })
      expect(findings).toMatchObject([{ verdict: 'lost', problem: 'database-damaged', name: 'the database' }])
      expect(findings[0]?.detail).toContain("'filestore restore'")
      const served = await runBinary(['serve', '--port', '0', '--data-dir', site.dataDir])
      expect(served).toMatchObject({ exitCode: 1, stdout: '' })
      expect(served.stderr).toContain(`${join(site.dataDir, 'filestore.db')} is damaged: 'filestore fsck' tells`)
    })
  })
})
