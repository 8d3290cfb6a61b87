/** Uploads the files of a run: small ones together, each other one by itself. */
import pMap, { pMapIterable } from 'p-map'
import { largeFileBytes, maxUploadManyFiles } from '../src/api/limits.ts'
import { openGroupRoom } from '../src/api/upload-group-room.ts'
import { openSemaphore } from '../src/base/semaphore.ts'
import {
  type Looked,
  look,
  recordArrived,
  recordSent,
  sendOne,
  type UploadJob,
  type UploadRun,
  uploadOne,
} from './upload-run.ts'
import { GroupRefused, type Outcome, sendTogether } from './upload-together.ts'

/** Whether a file may be sent with others: it is small, and is not there already. */
function isSmall(looked: Looked): boolean {
  const { size, read } = looked.job.source
  if ('failure' in looked || looked.isSame) return false
  return read !== undefined && size !== undefined && size < largeFileBytes
}

/** Yields the files in groups: small ones together, each other one by itself. */
async function* group(files: AsyncIterable<Looked>, mayJoin: () => boolean): AsyncGenerator<Looked[]> {
  let small: Looked[] = []
  let takes = openGroupRoom()
  for await (const file of files) {
    if (!mayJoin() || !isSmall(file)) {
      yield [file]
      continue
    }
    const size = file.job.source.size ?? 0
    if (!takes(size)) {
      yield small
      small = []
      takes = openGroupRoom()
      takes(size)
    }
    small.push(file)
  }
  if (small.length > 0) yield small
}

async function settle(run: UploadRun, job: UploadJob, outcome: Outcome | undefined): Promise<void> {
  if (outcome === undefined) return sendOne(run, job)
  if ('refusal' in outcome) throw outcome.refusal
  if ('lost' in outcome) return sendOne(run, job, outcome.lost)
  return 'sent' in outcome ? recordSent(run, job, outcome.sent) : recordArrived(run, job, outcome.arrived)
}

/**
 * Uploads all files, with at most `concurrency` requests at once, and records the results and failures in the run.
 * Throws when nothing further can succeed.
 */
export async function uploadAll(run: UploadRun, jobs: AsyncIterable<UploadJob>, concurrency: number): Promise<void> {
  const inTurn = openSemaphore({ atOnce: concurrency })
  const { attempts } = run
  let mayJoin = !run.isDry
  /** The files of refused groups. They go last, because only then as many go at once as are allowed. */
  const refused: Looked[] = []

  const uploadAlone = (looked: Looked) =>
    inTurn(() => attempts.run(looked.job.source.label, () => uploadOne(run, looked), looked.job.order))

  async function uploadGroup(files: readonly Looked[]): Promise<void> {
    const [first] = files
    if (first !== undefined && files.length === 1) return uploadAlone(first)
    await inTurn(async () => {
      const outcomes = await sendTogether(
        run,
        files.map(({ job }) => job),
      )
      for (const { job } of files) {
        await attempts.run(job.source.label, () => settle(run, job, outcomes.get(job)), job.order)
      }
    }).catch(error => {
      if (!(error instanceof GroupRefused)) throw error
      mayJoin = false
      refused.push(...files)
    })
  }

  const looked = pMapIterable(jobs, job => inTurn(() => look(run, job)), {
    concurrency,
    backpressure: maxUploadManyFiles,
  })
  await pMap(
    group(looked, () => mayJoin),
    uploadGroup,
    { concurrency },
  )
  await pMap(refused, uploadAlone, { concurrency })
}
