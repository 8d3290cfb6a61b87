/** Sends small files in one request, and finds out what became of each. */
import { createHash } from 'node:crypto'
import pMap from 'p-map'
import { ApiError } from '../src/api/client.ts'
import type { FileDetails } from '../src/api/items.ts'
import { refusalOf, type UploadItem, uploadMany } from '../src/api/upload-many.ts'
import { readData, sendRequest } from './client.ts'
import { createManyMultipart } from './multipart.ts'
import { mayHaveArrived, withRetries } from './retry.ts'
import { findArrived, mayLook, type UploadJob, type UploadRun } from './upload-run.ts'

/** Files of a request that are read at once. */
const readAtOnce = 4

/**
 * What became of a file: it was stored by this request, or by one whose answer was lost; it was refused; or it must be
 * sent by itself, after `lost` if it may have been stored.
 */
export type Outcome = { sent: FileDetails } | { arrived: FileDetails } | { refusal: unknown } | { lost: unknown }
type Outcomes = Map<UploadJob, Outcome>

interface Loaded {
  job: UploadJob
  bytes: Buffer
}

/** The request was refused as a whole, so that nothing was stored: by a server without this call, or by a proxy. */
export class GroupRefused extends Error {}

/** Whether nothing was stored. A proxy that says 408 does not know what the server has. */
const isRefused = (error: unknown): boolean =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && ![408, 429].includes(error.status)

/** Reads the files. One that cannot be read, or has changed its size, goes by itself, which finds out more. */
async function load(jobs: readonly UploadJob[], outcomes: Outcomes): Promise<Loaded[]> {
  const loaded = await pMap(
    jobs,
    async job => {
      const bytes = await job.source.read?.().catch(() => undefined)
      if (bytes?.length === job.source.size && bytes !== undefined) return [{ job, bytes }]
      outcomes.set(job, { lost: undefined })
      return []
    },
    { concurrency: readAtOnce },
  )
  return loaded.flat()
}

function itemOf({ onConflict, metadata }: UploadRun, { job, bytes }: Loaded): Record<keyof UploadItem, unknown> {
  const { name, folder, source } = job
  return {
    name,
    path: folder.names.length === 0 ? undefined : folder.names.join('/'),
    on_conflict: onConflict,
    metadata: metadata.length === 0 ? undefined : metadata,
    modified_at: source.modifiedAt?.toISOString(),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }
}

/** Sends the files once. Throws if the request failed as a whole. */
async function sendOnce(run: UploadRun, files: readonly Loaded[], outcomes: Outcomes): Promise<void> {
  const { server, target, progress } = run
  const transfers = files.map(({ job: { source } }) => progress.open(source.label, source.size))
  for (const transfer of transfers) transfer.begin()
  const parts = files.map(file => ({ item: itemOf(run, file), bytes: file.bytes }))
  const { headers, body } = createManyMultipart(target.id, parts, index =>
    transfers[index]?.add(files[index]?.bytes.length ?? 0),
  )
  try {
    const response = await sendRequest(server, { method: uploadMany.method, path: uploadMany.path, headers, body })
    const { results } = await readData(server, uploadMany, response)
    for (const [index, { job }] of files.entries()) {
      const result = results.find(one => one.index === index)
      if (result?.ok) outcomes.set(job, { sent: result.file })
      else outcomes.set(job, refusedOutcome(result === undefined ? undefined : refusalOf(result)))
    }
  } finally {
    body.destroy()
    for (const transfer of transfers) transfer.end()
  }
}

/** A file that the server was too busy for, or failed at, is sent again by itself. */
function refusedOutcome(refusal: ApiError | undefined): Outcome {
  if (refusal === undefined || refusal.status >= 500) return { lost: refusal }
  return refusal.status === 429 ? { lost: undefined } : { refusal }
}

/** Looks for the files of a request whose answer was lost. Returns those that have not arrived. */
async function findMissing(run: UploadRun, files: readonly Loaded[], outcomes: Outcomes): Promise<Loaded[]> {
  const missing: Loaded[] = []
  for (const file of files) {
    const arrived = await findArrived(run, file.job)
    if (arrived === undefined) missing.push(file)
    else outcomes.set(file.job, { arrived })
  }
  return missing
}

/**
 * Sends small files of one run in one request, and retries as for a single file: if an answer is lost, it first looks
 * which files arrived. Returns what became of each. Throws `GroupRefused`.
 */
export async function sendTogether(run: UploadRun, jobs: readonly UploadJob[]): Promise<Outcomes> {
  const { server, onConflict } = run
  const outcomes: Outcomes = new Map()
  const mayDouble = onConflict !== 'replace'
  let left = await load(jobs, outcomes)
  let lost: unknown
  const attempt = async () => {
    if (lost !== undefined) left = await findMissing(run, left, outcomes)
    if (left.length === 0) return
    try {
      await sendOnce(run, left, outcomes)
    } catch (error) {
      if (mayDouble && mayHaveArrived(error) && !isRefused(error)) lost = error
      throw error
    }
  }
  const mayLookFor = async () => left[0] === undefined || mayLook(run, left[0].job)
  try {
    await withRetries(attempt, server.signal, mayDouble ? mayLookFor : true)
  } catch (error) {
    server.signal.throwIfAborted()
    if (isRefused(error) && lost === undefined) throw new GroupRefused('', { cause: error })
    for (const { job } of left) outcomes.set(job, mayHaveArrived(error) ? { lost: lost ?? error } : { refusal: error })
  }
  return outcomes
}
