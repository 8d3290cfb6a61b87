/** Warns at the start when MariaDB's limits are lower than the server may need, or its commits are not durable. */
import { poolSize } from '../db/mariadb.ts'
import type { RowDeps } from '../deps.ts'

/**
 * Bytes of one statement with its values. Those of a hundred small files take 3.2 MB; the metadata of one body takes 13
 * MB with its searchable form. It is MariaDB's default.
 */
const neededPacket = 16 * 1024 ** 2

interface Allowed {
  connections: number
  packet: number
  flush: number
}

/**
 * Checks limits that would otherwise fail only under load, the number of connections and the size of statements, and
 * that each commit is synced.
 */
export async function warnOfDatabaseLimits({ config, db, log }: RowDeps): Promise<void> {
  if (db.dialect !== 'mariadb') return
  const allowed = await db.row<Allowed>(
    'SELECT @@max_connections AS connections, @@max_allowed_packet AS packet, @@innodb_flush_log_at_trx_commit AS flush',
  )
  if (allowed === undefined) return
  // The workers' connections, and those of their primary.
  const processes = config.workers === 1 ? 1 : config.workers + 1
  const connections = { needed: processes * poolSize, allowed: allowed.connections }
  const packet = { needed: neededPacket, allowed: allowed.packet }
  if (connections.allowed < connections.needed) {
    log.warn(connections, 'the server may want more connections than MariaDB allows (max_connections)')
  }
  if (packet.allowed < packet.needed) {
    log.warn(packet, 'the server may send longer statements than MariaDB allows (max_allowed_packet)')
  }
  if (allowed.flush !== 1) {
    log.warn(
      { set: allowed.flush },
      'MariaDB does not sync each commit, so a power cut can lose acknowledged uploads (innodb_flush_log_at_trx_commit)',
    )
  }
}
