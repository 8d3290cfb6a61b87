/** Uploads in several requests, whatever the protocol: opened once per process, with what it keeps between requests. */
import { type Caller, writeActor } from '../access/actor.ts'
import { isInOwnTree } from '../access/reach.ts'
import { type ErrorCode, errorStatus } from '../api/errors.ts'
import { AppError } from '../base/errors.ts'
import { uploadError } from '../db/models/uploads.ts'
import { readStored } from '../db/stored-json.ts'
import { turnOf } from '../db/write-actor.ts'
import type { Deps } from '../deps.ts'
import { findFolder } from '../files/find.ts'
import { moveRoom } from '../files/unfinished-uploads.ts'
import { checkMetadata } from '../files/upload.ts'
import { leaveBehind } from './abandoned.ts'
import { append, refuseMisplaced } from './append.ts'
import type { NewTarget, Uploads } from './contract.ts'
import { createUpload } from './create.ts'
import { endUpload } from './end.ts'
import { expiryOf } from './expiry.ts'
import { makeFile } from './finish.ts'
import { openHashes } from './hashes.ts'
import { type Hold, locked, openHolding, whileSending } from './hold.ts'
import { findOwn, mayStillAdd, noUpload, saveUpload, turnOfUpload, type Upload } from './rows.ts'

/** ms that a request waits until its upload has become a file; then its client is told to ask again. */
const patience = 25_000

/** The refusal that was kept with a failed upload. */
function refusalOf({ id, error }: Upload): AppError {
  const { code, message } = readStored(uploadError, error ?? 'null', `uploads ${id}`) ?? {
    code: 'in_use',
    message: 'This upload could not become a file',
  }
  return new AppError(Object.hasOwn(errorStatus, code) ? (code as ErrorCode) : 'in_use', message)
}

const isComplete = ({ received, length }: Upload): boolean => received === length

export function openUploads(deps: Omit<Deps, 'uploads'>): Uploads {
  const { db, clock, config, log, freeSpace } = deps
  const parts = { ...deps, hashes: openHashes(), kept: freeSpace.keep(deps.store) }
  const holdingOf = openHolding(deps)
  const holding = <T>(actor: Caller, id: string, cut: () => void, work: (hold: Hold) => Promise<T>): Promise<T> =>
    holdingOf({ id, whose: turnOf(writeActor(actor)) }, cut, work)
  /** Uploads that become files now. */
  const finishing = new Map<string, Promise<number>>()
  const read = (actor: Caller, id: string): Promise<Upload> => findOwn(db, actor, id, clock.now())

  async function become(actor: Caller, id: string): Promise<number> {
    // Nothing cuts it: whoever wants the upload waits for the file.
    return holding(
      actor,
      id,
      () => undefined,
      async hold => {
        const upload = await read(actor, id)
        if (upload.state === 'done' && upload.file_id !== null) return upload.file_id
        if (upload.state === 'failed') throw refusalOf(upload)
        if (upload.state !== 'whole') throw locked()
        return makeFile(parts, actor, upload, hold)
      },
    )
  }

  /** Makes a whole upload a file, once however many ask; it goes on when nobody waits any more. */
  function begin(actor: Caller, id: string): Promise<number> {
    const running = finishing.get(id)
    if (running !== undefined) return running
    const made = become(actor, id).finally(() => finishing.delete(id))
    finishing.set(id, made)
    made.catch(error => {
      if (!(error instanceof AppError)) log.error({ err: error }, 'an upload could not become a file')
    })
    return made
  }

  async function waitFor(made: Promise<number>): Promise<number> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(locked()), patience).unref()
    })
    try {
      return await Promise.race([made, late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** The upload once it has become a file, if it is whole. */
  async function settle(actor: Caller, upload: Upload): Promise<Upload> {
    if (upload.state === 'failed') throw refusalOf(upload)
    if (upload.state !== 'whole') return upload
    await waitFor(begin(actor, upload.id))
    return read(actor, upload.id)
  }

  /** Runs `work` with an open upload, as the only request at it. One that is no longer open is returned as it is. */
  async function whileOpen(
    actor: Caller,
    id: string,
    cut: () => void,
    work: (upload: Upload, hold: Hold) => Promise<Upload>,
  ): Promise<Upload> {
    const known = await read(actor, id)
    if (known.state !== 'open') return known
    return holding(actor, id, cut, async hold => {
      const upload = await read(actor, id)
      return upload.state === 'open' ? work(upload, hold) : upload
    })
  }

  return {
    create: async (actor, given) => settle(actor, await createUpload(deps, actor, given)),
    append: async (actor, id, addition, confirm) => {
      let [isMisplaced, isCut] = [true, false]
      const cut = () => {
        isCut = true
        addition.cut(locked())
      }
      const added = await whileOpen(actor, id, cut, async (upload, hold) => {
        isMisplaced = false
        const own = hold.isAbandoned ? await leaveBehind(parts, upload, hold) : upload
        const expiry = await placeRoom(actor, upload)
        const receive = () => append(parts, own, hold, { ...addition, expiry, confirm })
        return actor.link === null ? receive() : whileSending(deps, upload, hold, receive)
      }).catch(error => {
        throw isCut && error instanceof AppError ? locked() : error
      })
      // It has all its bytes, so it takes none.
      if (isMisplaced && added.state !== 'failed') refuseMisplaced(added, addition)
      return settle(await confirm(), added)
    },
    find: async (actor, id) => {
      const found = await whileOpen(
        actor,
        id,
        () => undefined,
        async upload => upload,
      )
      return settle(actor, found).catch(async error => {
        const now = await read(actor, id)
        throw now.state === 'failed' ? unfinished(error) : error
      })
    },
    finish: async (actor, id, changes) => {
      const known = await read(actor, id)
      if (known.state === 'done' && known.file_id !== null) {
        return { fileId: known.file_id, isNew: false, upload: known }
      }
      if (known.state !== 'whole') await retarget(actor, id, changes)
      return { fileId: await waitFor(begin(actor, id)), isNew: true, upload: known }
    },
    discard: async (actor, id) => {
      await read(actor, id)
      await holding(
        actor,
        id,
        () => undefined,
        async () => endUpload(parts, await read(actor, id)),
      )
    },
    resume: async (actor, id) => {
      await begin(actor, id)
    },
  }

  /**
   * Returns when the upload ends once it has so many bytes. If who sends them may no longer add to another's place, moves
   * the room into their own tree, and its end is not put off; they can save the upload elsewhere until it expires.
   */
  async function placeRoom(actor: Caller, upload: Upload): Promise<(received: number) => number> {
    if (await mayStillAdd(db, actor, upload)) {
      const isOwnPlace = await isInOwnTree(db, actor, upload)
      // Bytes never bring its end nearer.
      return received =>
        Math.max(upload.expires_at, expiryOf(config, { ...upload, received }, { isOwnPlace, now: clock.now() }))
    }
    if (actor.link === null) await moveRoom(db, upload.id, actor.root.spaceId, turnOfUpload(upload))
    return () => upload.expires_at
  }

  /** Says anew where an upload with all its bytes is to go, and that it becomes a file now. */
  async function retarget(actor: Caller, id: string, changes: NewTarget): Promise<void> {
    await holding(
      actor,
      id,
      () => undefined,
      async hold => {
        const upload = await read(actor, id)
        if (!isComplete(upload)) throw new AppError('offset_mismatch', `Bytes are missing from ${upload.received} on`)
        if (upload.state === 'whole' || upload.state === 'done') return
        // A place that is out of reach would put the upload out of reach, too.
        if (changes.parent_id !== undefined) await findFolder(db, actor, changes.parent_id, 'add')
        await checkMetadata(db, changes.metadata ?? [])
        const given = Object.entries(changes).filter(([, value]) => value !== undefined)
        const target = JSON.stringify({ ...upload.target, ...Object.fromEntries(given) })
        const expires_at = (await placeRoom(actor, upload))(upload.received)
        const changed = { target, state: 'whole' as const, error: null, expires_at }
        if (!(await saveUpload(db, upload, hold.holder, changed))) throw noUpload()
      },
    )
  }
}

/** 409: all bytes are there, but they could not become a file. */
const unfinished = (cause: Error): AppError =>
  new AppError('offset_mismatch', `The upload could not become a file: ${cause.message}`, { cause })
