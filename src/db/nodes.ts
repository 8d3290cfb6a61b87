/**
 * The servers on one database, called nodes. Each notes that it is alive; the leases of one that no longer does are
 * free. All times are the database's.
 */
import { hour, second } from '../base/clock.ts'
import type { Database } from './database.ts'
import { sqlNow } from './database-time.ts'

/** ms between two signs of life. */
export const beatTime = 10 * second
/** ms after its last sign of life for which a node counts as alive. */
export const silentTime = 30 * second
/** ms for which a node that ended without leaving stays in the table, so that administrators can see it. */
const keptTime = hour

export interface Node {
  /** Random, and new at each start. */
  node_id: string
  /** The machine's name. */
  name: string
  version: string
  /** The last migration that its program knows. */
  schema: string
  /** Where it listens: `http://10.0.0.7:8080`. */
  address: string
  /** ms by which the machine's clock is ahead of the database's. */
  clock_skew: number
}

export interface SeenNode extends Node {
  /** ms, UTC. */
  started_at: number
  seen_at: number
  isAlive: boolean
}

/** SQL: whether a node's last sign of life is less than `time` ms ago. One of the future was given by a wrong clock. */
const wasSeen = (db: Database, time: number) => `ABS(${sqlNow(db.dialect)} - seen_at) < ${time}`

/** ms, UTC, by the database's clock. */
export async function readTime(db: Database): Promise<number> {
  const row = await db.row<{ now: number }>(`SELECT ${sqlNow(db.dialect)} AS now`)
  if (row === undefined) throw new Error('the database does not tell the time')
  return row.now
}

async function saveNode(db: Database, node: Node): Promise<void> {
  const now = sqlNow(db.dialect)
  const seen = `UPDATE nodes SET seen_at = ${now}, clock_skew = $1 WHERE node_id = $2`
  if ((await db.change(seen, [node.clock_skew, node.node_id])) === 1) return
  await db.change(
    `INSERT INTO nodes (node_id, name, version, \`schema\`, address, clock_skew, started_at, seen_at)
     VALUES ($1, $2, $3, $4, $5, $6, ${now}, ${now})`,
    [node.node_id, node.name, node.version, node.schema, node.address, node.clock_skew],
  )
}

/** Lets the leases of a node expire, inside a touch. */
const freeLeases = (db: Database, id: string): Promise<number> =>
  db.change('UPDATE leases SET expires_at = 0 WHERE node_id = $1', [id])

/** Notes that a node is alive; frees the leases of silent ones and returns their names. */
export const noteAlive = (db: Database, node: Node): Promise<string[]> =>
  db.touch(async () => {
    await saveNode(db, node)
    await db.change(`DELETE FROM nodes WHERE NOT ${wasSeen(db, keptTime)}`)
    const silent = await db.rows<{ node_id: string; name: string }>(
      `SELECT n.node_id, n.name FROM nodes n
       WHERE NOT ${wasSeen(db, silentTime)} AND EXISTS (SELECT 1 FROM leases l WHERE l.node_id = n.node_id AND l.expires_at > 0)`,
    )
    for (const { node_id } of silent) await freeLeases(db, node_id)
    return silent.map(({ name }) => name)
  })

/** Removes a node that stops, and frees its leases. */
export const leaveNodes = (db: Database, id: string): Promise<void> =>
  db.touch(async () => {
    await freeLeases(db, id)
    await db.change('DELETE FROM nodes WHERE node_id = $1', [id])
  })

/** Returns the nodes that are alive, or were within the last hour, by name. */
export async function findNodes(db: Database): Promise<SeenNode[]> {
  const rows = await db.rows<Omit<SeenNode, 'isAlive'> & { is_alive: number }>(
    `SELECT node_id, name, version, \`schema\`, address, clock_skew, started_at, seen_at,
       ${wasSeen(db, silentTime)} AS is_alive
     FROM nodes ORDER BY name, address, started_at`,
  )
  return rows.map(({ is_alive, ...node }) => ({ ...node, isAlive: is_alive === 1 }))
}
