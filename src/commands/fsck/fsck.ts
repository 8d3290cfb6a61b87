/** `filestore fsck`: checks every row against its bytes. The server may be running. */
import type { Flags } from '../../config-options.ts'
import type { Deps } from '../../deps.ts'
import { withDamagedFiles } from '../open.ts'
import { checkAccounts } from './accounts.ts'
import { checkContents } from './contents.ts'
import { checkCounters } from './counters.ts'
import { damageOf, lacksRemadeTable, reportDamage } from './damage.ts'
import { checkDatabase } from './database.ts'
import { checkDuplicates } from './duplicates.ts'
import {
  type Check,
  type Counts,
  damageProblem,
  type FsckListener,
  type FsckOptions,
  newCounts,
  newFinding,
  openCheck,
  type Verdict,
} from './finding.ts'
import { checkFolderKeys } from './folder-keys.ts'
import { checkGroups } from './groups.ts'
import { openHashRun, whileAlone } from './hash-progress.ts'
import { checkItems } from './items.ts'
import { checkLastIds } from './last-ids.ts'
import { checkLinks } from './links.ts'
import { checkMigrations } from './migration-names.ts'
import { checkPlaces } from './places.ts'
import { checkRoles } from './roles.ts'
import { checkRows } from './rows.ts'
import { checkSchema } from './schema.ts'
import { checkSearch, checkSearchText } from './search-index.ts'
import { checkSettings } from './settings.ts'
import { checkSpaceKinds } from './space-kinds.ts'
import { checkStore, refuseForeignStore } from './store.ts'
import { checkTakenNames } from './taken-names.ts'
import { checkThumbnails } from './thumbnails.ts'
import { checkTopPlaces } from './top-places.ts'
import { checkUnnamed } from './unnamed-contents.ts'
import { checkUploads } from './uploads.ts'
import { checkFolders } from './wrong-folders.ts'

export interface FsckSummary {
  /** The worst verdict that remains. */
  verdict: Verdict
  /** The number of findings by verdict; a repaired one counts only as repaired. */
  counts: { ok: number; repairable: number; repaired: number; lost: number }
  checked: Counts
  /** The run of --hash that this one resumed; null when it started new. */
  resumed: { started_at: string; bytes: number } | null
}

async function checkContentsAndHash(check: Check): Promise<FsckSummary['resumed']> {
  const run = await openHashRun(check)
  const { resumed } = run
  const rest = await check.deps.db.row<{ bytes: number }>(
    'SELECT COALESCE(SUM(size), 0) AS bytes FROM blobs WHERE id > $1',
    [run.progress.after],
  )
  check.listener.onHashing(rest?.bytes ?? 0, resumed?.started_at ?? null)
  try {
    await checkContents(check, run)
  } catch (error) {
    await run.save()
    throw error
  }
  await run.end()
  check.listener.onHashingEnd()
  return resumed === null ? null : { started_at: resumed.started_at, bytes: resumed.bytes }
}

async function checkAll(check: Check): Promise<FsckSummary['resumed']> {
  // If a table is missing that the schema's repair recreates, check the store's owner only after that repair.
  let isStoreUnknown = false
  const refuseEarly = () =>
    refuseForeignStore(check).catch(error => {
      if (!check.options.repair || !lacksRemadeTable(error)) throw error
      isStoreUnknown = true
    })
  await reportDamage(check, 'the contents', refuseEarly)
  let resumed: FsckSummary['resumed'] = null
  const contents = async () => {
    if (check.options.hash) resumed = await checkContentsAndHash(check)
    else await checkContents(check, null)
  }
  // In this order, since counting comes after repairs that change counts.
  const works = {
    // Before the schema, because an index cannot be made while its key is there twice.
    'the keys of rows': checkDuplicates,
    'the schema': async () => {
      await checkSchema(check)
      if (isStoreUnknown) await refuseForeignStore(check)
    },
    'the database': checkDatabase,
    // After the database, because a row of a damaged index cannot be changed.
    'the migrations': checkMigrations,
    'the search index': checkSearch,
    'the groups': checkGroups,
    'the names of users': checkTakenNames,
    'the rows': checkRows,
    'the last ids': checkLastIds,
    'the settings': checkSettings,
    'the roles': checkRoles,
    'the kinds of storages': checkSpaceKinds,
    // Before what moves items with a wrong folder to the top.
    'the folders of items': checkFolders,
    // Before what depends on an item's space, as shares do.
    'the places of files': checkPlaces,
    'what is at the top of storages': checkTopPlaces,
    'the accounts': checkAccounts,
    'the contents': contents,
    'the files': checkItems,
    'the contents without a file': checkUnnamed,
    'the keys for folders': checkFolderKeys,
    'the links': checkLinks,
    'the names in the search index': checkSearchText,
    'the uploads': checkUploads,
    'the counters': checkCounters,
    'the thumbnails': checkThumbnails,
    'the store': checkStore,
  }
  for (const [name, work] of Object.entries(works)) await reportDamage(check, name, () => work(check))
  return resumed
}

/** Ends all copies of listings: a repair may change what a list shows, and clients would go on getting 304. */
const raiseRevisions = (check: Check): Promise<void> =>
  reportDamage(check, 'the spaces', async () => {
    const { db } = check.deps
    await db.touch(() => db.change('UPDATE spaces SET revision = revision + 1'))
  })

/** Reports a database that cannot be opened. Everything else needs it, so this is the only finding. */
function reportUnopened(listener: FsckListener, message: string): FsckSummary {
  const detail = `cannot be opened: ${message}. Only a backup brings it back: 'filestore restore' puts one in its place`
  listener.onFinding(newFinding({ verdict: 'lost', problem: damageProblem, name: 'the database', detail }))
  const counts = { ok: 0, repairable: 0, repaired: 0, lost: 1 }
  return { verdict: 'lost', counts, checked: newCounts(), resumed: null }
}

/**
 * Runs all checks; findings go to the listener one by one. Concurrent changes cause no findings, because each problem
 * is looked at again before it is reported. Throws as `withDamagedFiles` and `refuseForeignStore`, `in_use` when another
 * process hashes the same store, and the signal's reason when it is aborted.
 */
export async function runFsck(
  flags: Flags,
  options: FsckOptions,
  signal: AbortSignal,
  listener: FsckListener,
): Promise<FsckSummary> {
  let isOpen = false
  const work = async (deps: Deps): Promise<FsckSummary> => {
    isOpen = true
    const { check, verdicts } = openCheck(deps, options, signal, listener)
    const run = () => checkAll(check).finally(() => (verdicts.repaired > 0 ? raiseRevisions(check) : undefined))
    const resumed = await (options.hash ? whileAlone(deps, run) : run())
    const verdict = verdicts.lost > 0 ? 'lost' : verdicts.repairable > 0 ? 'repairable' : 'ok'
    return { verdict, counts: verdicts, checked: check.counts, resumed }
  }
  return withDamagedFiles(flags, work).catch(error => {
    const message = isOpen ? undefined : damageOf(error)
    if (message === undefined) throw error
    return reportUnopened(listener, message)
  })
}
