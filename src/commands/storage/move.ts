/** `filestore storage move`: brings the files' bytes from the old store to the new one, also while servers run. */
import pMap from 'p-map'
import { AppError, systemCode } from '../../base/errors.ts'
import { openPace } from '../../base/pace.ts'
import type { BlobStore } from '../../blobs/blob-store.ts'
import { joinStores } from '../../blobs/joined.ts'
import { openBothStores } from '../../blobs/open-store.ts'
import { newBlobKey } from '../../blobs/receive.ts'
import type { Config } from '../../config.ts'
import type { Flags } from '../../config-options.ts'
import { readState } from '../../db/server-state.ts'
import type { Held } from '../../db/with-lease.ts'
import type { RowDeps } from '../../deps.ts'
import { findNamed, type NamedBytes } from '../../files/named-keys.ts'
import { findForeignSign } from '../../files/store-identity.ts'
import { DamagedError, readContent } from '../backup/contents.ts'
import { refuseForeign, withRows } from '../open.ts'
import { inOneDirection } from './direction.ts'

/** Contents under way at once: enough to hide the time that an object store takes to answer. */
const atOnce = 8
const batchSize = 500

interface MoveOptions {
  /** Bytes per second; null sets no limit. */
  rate: number | null
  /** Whether to read back what this run brings, too, before it is removed from the old store. */
  verify: boolean
  /** Whether to leave everything in the old store, too. */
  keep: boolean
}

export interface Moved {
  /** Contents and thumbnails that were brought to the new store. */
  moved: number
  /** Bytes of these. */
  bytes: number
  /** What an earlier run has brought, which was interrupted or left everything in the old store. */
  there: number
  /** What is damaged in the old store, or does not arrive whole in the new one; it stays. */
  damaged: number
  /** Bytes that no file has. Uploads under way become files; the rest is swept by the server after a day. */
  unnamed: number
}

interface MoveListener {
  onBytes(bytes: number): void
  /** `name` says which bytes, `detail` what is wrong. */
  onDamaged(name: string, detail: string): void
}

interface Run extends Held {
  from: BlobStore
  to: BlobStore
  db: RowDeps['db']
  options: MoveOptions
  listener: MoveListener
  pace(bytes: number): Promise<void>
  result: Moved
}

/** The bytes of a store at the run's pace. Fails at their end if they are not the ones that are named. */
async function* carry(run: Run, store: BlobStore, bytes: NamedBytes): AsyncGenerator<Buffer> {
  for await (const chunk of readContent(store, bytes.key, bytes)) {
    run.signal.throwIfAborted()
    run.listener.onBytes(chunk.length)
    yield chunk
    await run.pace(chunk.length)
  }
}

/** Under another key first: under its own, a server would read what is there before it is whole. */
async function copy(run: Run, bytes: NamedBytes): Promise<void> {
  const by = newBlobKey()
  await run.to.put(by, carry(run, run.from, bytes))
  await run.to.replace(bytes.key, by)
}

/** Reads the bytes back from the new store. Throws DamagedError if they are not the ones that are named. */
async function verify(run: Run, bytes: NamedBytes): Promise<void> {
  try {
    for await (const _chunk of carry(run, run.to, bytes));
  } catch (error) {
    throw error instanceof DamagedError ? new DamagedError(`${error.message} in the new store`, error) : error
  }
}

/**
 * Whether an earlier run has brought the bytes. They are read before they leave the old store, because they may have been
 * damaged since, and brought again if they were.
 */
async function isThere(run: Run, bytes: NamedBytes): Promise<boolean> {
  if ((await run.to.size(bytes.key)) !== bytes.size) return false
  try {
    if (run.options.verify || !run.options.keep) await verify(run, bytes)
    return true
  } catch (error) {
    if (error instanceof DamagedError) return false
    throw error
  }
}

const paused = (): AppError =>
  new AppError('in_use', 'This run was paused for so long that another one may have begun: run it again')

/**
 * Removes bytes that the new store has. Throws DamagedError if they have gone from there meanwhile, so that the last copy
 * stays, and `in_use` if this run has lost its lease.
 */
async function removeOld(run: Run, { key, size }: NamedBytes): Promise<void> {
  if ((await run.to.size(key)) !== size) {
    // Those of a file that was deleted meanwhile are in neither store.
    if ((await run.from.size(key)) === null) return
    throw new DamagedError('has gone from the new store')
  }
  if (!(await run.confirm())) throw paused()
  await run.from.remove(key)
}

async function move(run: Run, bytes: NamedBytes): Promise<void> {
  const { options, result } = run
  const wasThere = await isThere(run, bytes)
  if (!wasThere) {
    await copy(run, bytes)
    if (options.verify) await verify(run, bytes)
  }
  if (!options.keep) await removeOld(run, bytes)
  if (wasThere) result.there += 1
  else {
    result.moved += 1
    result.bytes += bytes.size
  }
}

/** Whether missing bytes were moved by another run, or have gone with their file. */
const isSettled = async ({ db, to }: Run, { key, size }: NamedBytes): Promise<boolean> =>
  (await to.size(key)) === size || !(await findNamed(db, [key])).has(key)

async function moveOrTell(run: Run, bytes: NamedBytes): Promise<void> {
  try {
    await move(run, bytes)
  } catch (error) {
    if (!(error instanceof DamagedError)) throw error
    if (systemCode(error.cause) === 'ENOENT' && (await isSettled(run, bytes))) return
    run.result.damaged += 1
    run.listener.onDamaged(bytes.name, error.message)
  }
}

async function moveBatch(run: Run, keys: readonly string[]): Promise<void> {
  const named = await findNamed(run.db, keys)
  // Most keys without a file are those of files that were deleted since the key was listed, and have no bytes any more.
  const unnamed = keys.filter(key => !named.has(key))
  const sizes = await pMap(unnamed, key => run.from.size(key), { concurrency: atOnce })
  run.result.unnamed += sizes.filter(size => size !== null).length
  await pMap(named.values(), bytes => moveOrTell(run, bytes), { concurrency: atOnce })
}

/** Throws `invalid_input` if both are one store, whatever their names: what is moved would be removed. */
async function refuseSame({ from, to }: Pick<Run, 'from' | 'to'>): Promise<void> {
  const key = newBlobKey()
  await to.put(key, (async function* () {})())
  const isSame = (await from.size(key)) !== null
  await to.remove(key)
  if (isSame) throw new AppError('invalid_input', `${from.name} and ${to.name} are the same store`)
}

async function openStores(config: Config): Promise<Pick<Run, 'from' | 'to'>> {
  const stores = await openBothStores(config)
  for (const store of Object.values(stores)) refuseForeign(store)
  await refuseSame(stores)
  return stores
}

/** Throws `in_use` if one of the stores belongs to another database; otherwise the new one gets the old one's mark. */
async function takeOver({ db, clock }: RowDeps, { from, to }: Pick<Run, 'from' | 'to'>, signal: AbortSignal) {
  const store = await joinStores(to, from, await readState(db, 'store_id'))
  const sign = await findForeignSign({ db, store, clock }, signal)
  if (sign !== null) throw new AppError('in_use', `Nothing is moved from ${from.name}: ${sign}`)
  const mark = await from.readMark()
  if (mark !== null) await to.saveMark(mark)
}

async function moveAll(run: Run): Promise<void> {
  let keys: string[] = []
  for await (const { key } of run.from.list()) {
    run.signal.throwIfAborted()
    keys.push(key)
    if (keys.length < batchSize) continue
    await moveBatch(run, keys)
    keys = []
  }
  await moveBatch(run, keys)
}

/**
 * Moves all bytes that files and thumbnails have. Each is compared with its SHA-256 on the way, and is removed from the
 * old store once it is durable in the new one, so an interrupted run is gone on with by the next. Servers must run with
 * both stores before. Throws like `withRows`, `invalid_input` and `in_use` for stores between which nothing may be moved, or
 * while another run moves the other way, and the first failure of a store.
 */
export const moveStorage = (
  flags: Flags,
  options: MoveOptions,
  signal: AbortSignal,
  listener: MoveListener,
): Promise<Moved> =>
  withRows(flags, async deps => {
    const stores = await openStores(deps.config)
    return inOneDirection(deps, stores, signal, async held => {
      await takeOver(deps, stores, held.signal)
      const result: Moved = { moved: 0, bytes: 0, there: 0, damaged: 0, unnamed: 0 }
      const pace = openPace(options.rate, deps.clock, held.signal)
      await moveAll({ ...stores, ...held, db: deps.db, options, listener, pace, result })
      return result
    })
  })
