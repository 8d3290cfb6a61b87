/** Puts an older version of a page of an SQLite file back, as a disk does that has lost a write. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { emptyLog } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'

const pageSize = 4096

/**
 * Runs some work, and then undoes what it has changed of the table's own page, but not of its indexes. The table must
 * have so few rows that it is one page.
 */
export async function losePage(server: TestServer, table: string, work: () => Promise<unknown>): Promise<void> {
  const query = "SELECT rootpage FROM sqlite_schema WHERE type = 'table' AND name = $1"
  const root = await server.deps.db.row<{ rootpage: number }>(query, [table])
  const at = ((root?.rootpage ?? expect.fail(`no table ${table}`)) - 1) * pageSize
  const file = await open(join(server.dataDir, 'filestore.db'), 'r+')
  try {
    await expect.poll(() => emptyLog(server)).toBe(0)
    const { buffer } = await file.read(Buffer.alloc(pageSize), 0, pageSize, at)
    // 13: a leaf of a table (SQLite's "Database File Format", section 1.6).
    expect(buffer[0]).toBe(13)
    await work()
    await expect.poll(() => emptyLog(server)).toBe(0)
    await file.write(buffer, 0, pageSize, at)
  } finally {
    await file.close()
  }
}
