/** Formats nodes for people. Loaded only when there is something to print. */
import type { SystemNode } from '../../src/api/system.ts'
import { formatTime } from '../../terminal/format.ts'
import { formatTable } from '../../terminal/table.ts'

export const formatNodes = (nodes: readonly SystemNode[]): string =>
  formatTable(
    [
      { head: 'STATE' },
      { head: 'VERSION' },
      { head: 'STARTED' },
      { head: 'LAST SEEN' },
      { head: 'CLOCK', align: 'right' },
      { head: 'NAME' },
      { head: 'ADDRESS' },
    ],
    nodes.map(({ is_alive, version, started_at, seen_at, clock_skew_ms, name, address }) => [
      is_alive ? 'alive' : 'silent',
      version,
      formatTime(started_at),
      formatTime(seen_at),
      `${clock_skew_ms < 0 ? '' : '+'}${(clock_skew_ms / 1000).toFixed(1)} s`,
      name,
      address,
    ]),
  )
