/** All rows of a test server's database, to be compared before and after something that must change none. */
import { findTables, type Row, readSlices } from '../../src/db/tables.ts'
import type { TestServer } from './test-server.ts'

/** Table → its rows in the order of the key, of all tables but those in `except`. */
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

/** What comes and goes by itself: when somebody was seen, what the log tells of it, and who holds a turn. */
export const passingTables = ['sessions', 'events', 'api_keys', 'leases', 'server_state', 'shared_counts']
