/** What a run of the benchmark is told. */
import { parseArgs } from 'node:util'

/** What every group of measurements gets. */
export interface Measuring {
  /** `mysql://user@host:port` of a MariaDB on which databases can be made; undefined: SQLite. */
  mariadbUrl: string | undefined
  /** Small sizes and few rounds: shows that the benchmark works, says little of the product. */
  isQuick: boolean
  /** Where each server leaves a profile of its processor time when it stops; undefined: none. */
  profiles: string | undefined
  /** Where the page as it is felt leaves traces of Chromium; undefined: none. */
  traces: string | undefined
}

export interface Options extends Measuring {
  /** Names of the groups to run. */
  groups: string[]
  /** Where the figures go as JSON. */
  jsonFile: string | undefined
}

export const usage = (groups: readonly string[]): string =>
  `npm run bench -- [--only <group,…>] [--quick] [--json <file>] [--cpu-prof <folder>]
  [--trace <folder>] [--database mysql://user@host:port]
groups: ${groups.join(', ')}`

/** Reads the command line. Throws for what it does not know. */
export function readOptions(known: readonly string[], args = process.argv.slice(2)): Options {
  const { values } = parseArgs({
    args,
    options: {
      only: { type: 'string' },
      quick: { type: 'boolean', default: false },
      json: { type: 'string' },
      'cpu-prof': { type: 'string' },
      trace: { type: 'string' },
      database: { type: 'string' },
    },
  })
  const groups = values.only?.split(',') ?? [...known]
  const unknown = groups.filter(name => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no such group: ${unknown.join(', ')}`)
  const { quick: isQuick, json: jsonFile, 'cpu-prof': profiles, trace: traces, database: mariadbUrl } = values
  return { groups, isQuick, jsonFile, profiles, traces, mariadbUrl }
}
