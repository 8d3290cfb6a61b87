/** The options of a benchmark run. */
import { parseArgs } from 'node:util'

/** The input of every group of measurements. */
export interface Measuring {
  /** `mysql://user@host:port` of a MariaDB that allows new databases; undefined for SQLite. */
  mariadbUrl: string | undefined
  /** Small sizes and few rounds: this tests the benchmark, but says little about the product. */
  isQuick: boolean
  /** The folder for the server's CPU profiles; undefined for none. */
  profiles: string | undefined
  /** The folder for traces of Chromium; undefined for none. */
  traces: string | undefined
  /** The folder of an installed HFS; undefined to install it from npm. */
  hfs: string | undefined
  /** The file that starts copyparty; undefined to leave copyparty out. */
  copyparty: string | undefined
}

export interface Options extends Measuring {
  /** Names of the groups to run. */
  groups: string[]
  /** The file for the figures as JSON. */
  jsonFile: string | undefined
}

/** The group that runs only when it is asked for, because it needs other programs. */
const peersGroup = 'peers'

export const usage = (groups: readonly string[]): string =>
  `npm run bench -- [--only <group,…>] [--quick] [--json <file>] [--cpu-prof <folder>]
  [--trace <folder>] [--database mysql://user@host:port]
  [--peers [--hfs <folder>] [--copyparty <file>]]
groups: ${groups.join(', ')}`

/** Parses the command line. Throws for unknown options. */
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
      peers: { type: 'boolean', default: false },
      hfs: { type: 'string' },
      copyparty: { type: 'string' },
    },
  })
  const groups = values.peers ? [peersGroup] : (values.only?.split(',') ?? known.filter(name => name !== peersGroup))
  const unknown = groups.filter(name => !known.includes(name))
  if (unknown.length > 0) throw new Error(`no such group: ${unknown.join(', ')}`)
  const { quick: isQuick, json: jsonFile, 'cpu-prof': profiles, trace: traces, database: mariadbUrl } = values
  const { hfs, copyparty } = values
  return { groups, isQuick, jsonFile, profiles, traces, mariadbUrl, hfs, copyparty }
}
