/** `filestore fsck`: reads every row against every blob, also while the server runs. */
import type { Flags } from '../../config.ts'
import { withFiles } from '../open.ts'
import { checkContents } from './contents.ts'
import { checkCounters } from './counters.ts'
import { reportDamage } from './damage.ts'
import { checkDatabase } from './database.ts'
import { type Check, type Counts, type FsckListener, type FsckOptions, openCheck, type Verdict } from './finding.ts'
import { openHashRun, whileAlone } from './hash-progress.ts'
import { checkItems } from './items.ts'
import { checkStore, refuseForeignStore } from './store.ts'
import { checkThumbnails } from './thumbnails.ts'

export interface FsckSummary {
  /** The worst that is left. */
  verdict: Verdict
  /** Findings of each kind; what was repaired counts as that alone. */
  counts: { ok: number; repairable: number; repaired: number; lost: number }
  checked: Counts
  /** The run of --hash that this one went on with; null where it began itself. */
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
  await reportDamage(check, 'the contents', () => refuseForeignStore(check))
  let resumed: FsckSummary['resumed'] = null
  const contents = async () => {
    if (check.options.hash) resumed = await checkContentsAndHash(check)
    else await checkContents(check, null)
  }
  // What one repairs, the next counts.
  const works = {
    'the database': checkDatabase,
    'the contents': contents,
    'the files': checkItems,
    'the counters': checkCounters,
    'the thumbnails': checkThumbnails,
    'the store': checkStore,
  }
  for (const [name, work] of Object.entries(works)) await reportDamage(check, name, () => work(check))
  return resumed
}

/**
 * Checks all that the flags lead to; findings go to the listener one by one. What goes on meanwhile makes no findings:
 * each is looked at again before it is told. Throws as `withFiles` and `refuseForeignStore`, `in_use` where another
 * process hashes the same store, and what the signal says when it is interrupted.
 */
export const runFsck = (
  flags: Flags,
  options: FsckOptions,
  signal: AbortSignal,
  listener: FsckListener,
): Promise<FsckSummary> =>
  withFiles(flags, async deps => {
    const { check, verdicts } = openCheck(deps, options, signal, listener)
    const run = () => checkAll(check)
    const resumed = await (options.hash ? whileAlone(deps.config, run) : run())
    const verdict = verdicts.lost > 0 ? 'lost' : verdicts.repairable > 0 ? 'repairable' : 'ok'
    return { verdict, counts: verdicts, checked: check.counts, resumed }
  })
