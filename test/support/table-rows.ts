/** Reads all rows of a test server's database, so that a test can show that something changed none. */
import { findTables, type Row, readSlices } from '../../src/db/tables.ts'
import type { TestServer } from './test-server.ts'

/** Table → its rows in the order of the key, for all tables except `except`. */
export async function readTables(
  { deps: { db } }: TestServer,
  except: readonly string[] = [],
): Promise<Record<string, Row[]>> {
  const tables: Record<string, Row[]> = {}
  for (const table of await findTables(db)) {
    if (except.includes(table.name)) continue
    const rows: Row[] = []
    for await (const slice of readSlices(db, table)) rows.push(...slice)
    tables[table.name] = rows
  }
  return tables
}

/** Tables that change on their own: when users were last seen, audit events about that, and leases. */
export const passingTables = ['sessions', 'events', 'api_keys', 'leases', 'nodes', 'server_state', 'shared_counts']
