/** Says in the log at the start where a MariaDB allows less than the server may ask of it. */
import { poolSize } from '../db/mariadb.ts'
import type { RowDeps } from '../deps.ts'

/**
 * Bytes of one statement with its values: those of a hundred small files take 3.2 MB, and a body's worth of metadata takes
 * 13 MB with what search compares. It is what MariaDB allows by default.
 */
const neededPacket = 16 * 1024 ** 2

interface Allowed {
  connections: number
  packet: number
}

/** What would show itself under load alone: too few connections for the processes, and too short statements. */
export async function warnOfDatabaseLimits({ config, db, log }: RowDeps): Promise<void> {
  if (db.dialect !== 'mariadb') return
  const allowed = await db.row<Allowed>('SELECT @@max_connections AS connections, @@max_allowed_packet AS packet')
  if (allowed === undefined) return
  // Those of the workers, and of the process that leads them.
  const processes = config.workers === 1 ? 1 : config.workers + 1
  const connections = { needed: processes * poolSize, allowed: allowed.connections }
  const packet = { needed: neededPacket, allowed: allowed.packet }
  if (connections.allowed < connections.needed) {
    log.warn(connections, 'the server may want more connections than MariaDB allows (max_connections)')
  }
  if (packet.allowed < packet.needed) {
    log.warn(packet, 'the server may send longer statements than MariaDB allows (max_allowed_packet)')
  }
}
