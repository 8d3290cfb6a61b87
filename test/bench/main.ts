/** `npm run bench`: measures the built product and checks its bounds, as docs/performance.md describes. */
import { writeFile } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { measureBrowse } from './browse.ts'
import { measureEmptying } from './emptying.ts'
import { measureFelt } from './felt.ts'
import { measureGrowth } from './growth.ts'
import { measureIdle } from './idle.ts'
import { measureKeys } from './keys.ts'
import { measureLinks } from './links.ts'
import { measureListing } from './listing.ts'
import { measureMillion } from './million.ts'
import { measureNodes } from './nodes.ts'
import { measureObjectStore } from './object-store.ts'
import { type Measuring, type Options, readOptions, usage } from './options.ts'
import { measurePage } from './page.ts'
import { measurePageUploads } from './page-uploads.ts'
import { measurePeers } from './peers/peers.ts'
import { measureRenaming } from './renaming.ts'
import { measureResumable } from './resumable.ts'
import { measureSharing } from './sharing.ts'
import { measureSignIns } from './sign-ins.ts'
import { measureSmallFiles } from './small-files.ts'
import { measureSorting } from './sorting.ts'
import { measureStartup } from './startup.ts'
import { measureStreams } from './streams.ts'
import { keepsBound, type Row, ratioOf, renderTable } from './table.ts'
import { measureTerminal } from './terminal.ts'
import { measureTransfers } from './transfers.ts'
import { measureTrashing } from './trashing.ts'

/** Each group measures one subject on its own server. The groups run one after the other. */
const groups: Record<string, (measuring: Measuring) => Promise<Row[]>> = {
  transfers: measureTransfers,
  resumable: measureResumable,
  'small-files': measureSmallFiles,
  idle: measureIdle,
  keys: measureKeys,
  'sign-ins': measureSignIns,
  listing: measureListing,
  sorting: measureSorting,
  million: measureMillion,
  sharing: measureSharing,
  links: measureLinks,
  streams: measureStreams,
  growth: measureGrowth,
  renaming: measureRenaming,
  trashing: measureTrashing,
  emptying: measureEmptying,
  page: measurePage,
  felt: measureFelt,
  startup: measureStartup,
  'page-uploads': measurePageUploads,
  terminal: measureTerminal,
  browse: measureBrowse,
  nodes: measureNodes,
  'object-store': measureObjectStore,
  peers: measurePeers,
}

const machine = `${availableParallelism()} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.versions.node}`

async function run(options: Options): Promise<void> {
  const database = options.mariadbUrl === undefined ? 'SQLite' : 'MariaDB'
  const rows: Row[] = []
  for (const name of options.groups) {
    console.error(`measuring ${name} …`)
    rows.push(...((await groups[name]?.(options)) ?? []))
  }
  console.log(renderTable(rows))
  console.log(`${database}; ${machine}${options.isQuick ? '; quick: sizes too small to judge by' : ''}`)
  if (options.jsonFile !== undefined) {
    const results = rows.map(row => ({ ...row, ratio: ratioOf(row), ok: keepsBound(row) }))
    await writeFile(
      options.jsonFile,
      `${JSON.stringify({ database, machine, quick: options.isQuick, results }, null, 2)}\n`,
    )
  }
  if (rows.some(row => keepsBound(row) === false)) process.exitCode = 1
}

let options: Options | undefined
try {
  options = readOptions(Object.keys(groups))
} catch (error) {
  console.error(`${error instanceof Error ? error.message : String(error)}\n${usage(Object.keys(groups))}`)
  process.exitCode = 2
}
if (options !== undefined) await run(options)
