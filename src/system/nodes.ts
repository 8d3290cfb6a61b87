/** Lists the servers on one database as administrators see them. */
import type { SystemNode } from '../api/system.ts'
import type { Database } from '../db/database.ts'
import { findNodes } from '../db/nodes.ts'

const toTime = (at: number): string => new Date(at).toISOString()

/** Returns the nodes that are alive, or were within the last hour, by name. */
export const listNodes = async (db: Database): Promise<SystemNode[]> =>
  (await findNodes(db)).map(({ name, address, version, clock_skew, started_at, seen_at, isAlive }) => ({
    name,
    address,
    version,
    started_at: toTime(started_at),
    seen_at: toTime(seen_at),
    is_alive: isAlive,
    clock_skew_ms: clock_skew,
  }))
