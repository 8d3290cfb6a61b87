/** Tells the other servers on the database that this one is alive, and watches the machine's clock. */
import { hostname } from 'node:os'
import { Gauge } from 'prom-client'
import { migrations } from '../../migrations/index.ts'
import { second } from '../base/clock.ts'
import { AppError } from '../base/errors.ts'
import { isTooOldFor, readLeastSchema } from '../db/migrations-table.ts'
import { leaveNodes, noteAlive, readTime } from '../db/nodes.ts'
import type { Deps } from '../deps.ts'
import { version } from '../version.ts'

/** ms of difference between the machine's clock and the database's from which the log warns. */
const largestSkew = 5 * second

/** As many characters as the column holds. */
const nameOfMachine = (): string => hostname().slice(0, 255)

interface Heartbeat {
  /** Notes that the node is alive, and frees the leases of those that no longer are. */
  beat(): Promise<void>
  /** Tells the others that the node stops. */
  leave(): Promise<void>
}

export interface HeartbeatOptions {
  /** Random, and new at each start. */
  id: string
  /** Where the node listens. */
  address: string
  /** Called with the reason when the node must end. */
  onOutdated(reason: Error): void
}

/** Opens the heartbeat of a node. */
export function openHeartbeat(
  { db, log, clock, metrics }: Deps,
  { id, address, onOutdated }: HeartbeatOptions,
): Heartbeat {
  const skewGauge = new Gauge({
    name: 'filestore_clock_skew_seconds',
    help: "How far the machine's clock is ahead of the database's",
    registers: [metrics],
  })
  const node = {
    node_id: id,
    name: nameOfMachine(),
    version,
    schema: migrations.at(-1)?.name ?? '',
    address,
  }
  let wasFar = false

  /** Compares the clocks, and tells when the difference becomes large or small. Returns it in ms. */
  async function measureSkew(): Promise<number> {
    const before = clock.now()
    const there = await readTime(db)
    const doubt = (clock.now() - before) / 2
    const skew = Math.round(before + doubt - there)
    skewGauge.set(skew / second)
    const isFar = Math.abs(skew) - doubt >= largestSkew
    if (isFar && !wasFar) log.warn({ skew_ms: skew }, "this machine's clock differs from the database's: set it by NTP")
    else if (wasFar && !isFar) log.info({ skew_ms: skew }, "this machine's clock agrees with the database's again")
    wasFar = isFar
    return skew
  }

  /** Follows the sign of life: a newer filestore saves the number first, and then looks for nodes that are alive. */
  async function refuseNewer(): Promise<void> {
    const leastSchema = await readLeastSchema(sql => db.rows(sql))
    if (!isTooOldFor(leastSchema)) return
    log.error({ least_schema: leastSchema }, 'a newer filestore changes the tables of the database: this server ends')
    onOutdated(new AppError('unavailable', `The database was migrated by a newer filestore (up to ${leastSchema})`))
  }

  return {
    beat: async () => {
      const silent = await noteAlive(db, { ...node, clock_skew: await measureSkew() })
      if (silent.length > 0) log.warn({ nodes: silent }, 'nodes are silent: others take over their jobs')
      await refuseNewer()
    },
    leave: () => leaveNodes(db, id),
  }
}
