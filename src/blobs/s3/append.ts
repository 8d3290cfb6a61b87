/**
 * Appends to objects, which cannot grow: full parts of a multipart upload, and behind them a small object, the tail, with
 * the bytes that do not fill a part yet. The parts and the tail's name are the state, so nothing that an earlier state
 * names is changed; a tail under another name was never told to anybody.
 */
import * as z from 'zod/mini'
import { takeRandom } from '../../base/random.ts'
import { type Appended, type AppendOptions, hexForm, type IsNamed } from '../blob-store.ts'
import { openPieces } from '../pieces.ts'
import { nameOfS3 } from './address.ts'
import type { S3Body } from './body.ts'
import { type S3Client, sourceOf } from './client.ts'
import { copyObject } from './copy.ts'
import { noBytes } from './failures.ts'
import { listObjects } from './list.ts'
import { type Multipart, openMultipart, resumeMultipart } from './multipart.ts'
import { ignoreMissing, removeObject, sizeOfObject } from './objects.ts'
import type { Sendings } from './put.ts'
import { readObject } from './read.ts'

const stateForm = z.object({
  /** The store's name: a state means nothing to another one. */
  store: z.string(),
  /** Bytes of each part. */
  part: z.int(),
  /** Null as long as there is no full part. */
  upload: z.nullable(z.object({ id: z.string(), etags: z.array(z.string()) })),
  /** Null if the bytes end with a part. */
  tail: z.nullable(z.object({ name: z.string(), size: z.int() })),
})
type State = z.output<typeof stateForm>

const blobOf = (key: string): string => `b/${key}`
const tailOf = (key: string, name: string): string => `t/${key}/${name}`
const lengthOf = ({ part, upload, tail }: State): number => part * (upload?.etags.length ?? 0) + (tail?.size ?? 0)

/** Reads a state that belongs to this store and length. Throws ENOENT. */
function readState(client: S3Client, { state, length }: Appended): State {
  const read = state === null ? undefined : stateForm.safeParse(JSON.parse(state)).data
  if (read?.store !== nameOfS3(client.address) || lengthOf(read) !== length) throw noBytes()
  return read
}

const told = (state: State): Appended => ({ length: lengthOf(state), state: JSON.stringify(state) })

/** Removes the tails of a key but one. */
async function removeTails(client: S3Client, key: string, kept?: string): Promise<void> {
  for await (const { name } of listObjects(client, tailOf(key, ''))) {
    if (name !== kept) await removeObject(client, tailOf(key, name))
  }
}

async function saveTail(client: S3Client, key: string, body: S3Body): Promise<State['tail']> {
  if (body.size === 0) return null
  const name = takeRandom(8).toString('hex')
  await client.ask({ method: 'PUT', key: tailOf(key, name), body })
  return { name, size: body.size }
}

const resume = (client: S3Client, key: string, { upload }: State): Multipart | null =>
  upload === null ? null : resumeMultipart(client, blobOf(key), upload.id, upload.etags)

async function* behindTail(client: S3Client, key: string, { tail }: State, rest: AsyncIterable<Buffer>) {
  if (tail !== null) yield* (await readObject(client, tailOf(key, tail.name))) as AsyncIterable<Buffer>
  yield* rest
}

/** See `BlobStore.append`. A new key gets parts of `partSize` bytes. */
export async function appendObject(
  client: S3Client,
  key: string,
  offset: number,
  source: AsyncIterable<Buffer>,
  { state: given, onDurable, partSize, openParts, openSending }: AppendOptions & Sendings,
): Promise<Appended & { broken: unknown }> {
  let state: State =
    offset === 0
      ? { store: nameOfS3(client.address), part: partSize, upload: null, tail: null }
      : readState(client, { length: offset, state: given })
  await removeTails(client, key, state.tail?.name)
  let upload = resume(client, key, state)
  let sending = upload === null ? null : openSending(upload)
  const parts = openParts(state.part)
  const pieces = openPieces(source)
  let more: AsyncIterable<Buffer> = behindTail(client, key, state, pieces.next())
  try {
    do {
      for await (const part of parts.fill(more)) {
        upload ??= await openMultipart(client, blobOf(key))
        sending ??= openSending(upload)
        await sending.put(part)
      }
      await sending?.settle()
      const etags = [...(upload?.etags ?? [])]
      // Until a part is full, the tail that is told stays.
      if (upload !== null && etags.length > (state.upload?.etags.length ?? 0)) {
        state = { ...state, upload: { id: upload.uploadId, etags }, tail: null }
      }
      if (pieces.hasMore()) await onDurable(told(state))
      more = pieces.next()
    } while (pieces.hasMore())
    return { ...told({ ...state, tail: await saveTail(client, key, parts.rest()) }), broken: pieces.broken() }
  } finally {
    // A part that arrived later would replace one of the next request.
    await sending?.settle().catch(() => undefined)
    await pieces.close()
    await parts.end()
  }
}

/** See `BlobStore.seal`. */
export async function sealObject(client: S3Client, key: string, appended: Appended): Promise<void> {
  const state = readState(client, appended)
  const place = blobOf(key)
  // An earlier try may have got this far, and have removed the tail.
  if ((await sizeOfObject(client, place).catch(ignoreMissing)) !== appended.length) {
    const upload = resume(client, key, state)
    if (upload === null && state.tail !== null) await copyObject(client, tailOf(key, state.tail.name), place)
    else if (upload === null) await client.ask({ method: 'PUT', key: place, body: Buffer.alloc(0) })
    else {
      if (state.tail !== null) {
        await upload.copy({ 'x-amz-copy-source': sourceOf(client.address, tailOf(key, state.tail.name)) })
      }
      await upload.complete(appended.length)
    }
  }
  await removeTails(client, key)
}

/** See `BlobStore.drop`. */
export async function dropObject(client: S3Client, key: string, state: string | null): Promise<void> {
  const read = state === null ? undefined : stateForm.safeParse(JSON.parse(state)).data
  if (read?.store === nameOfS3(client.address)) await resume(client, key, read)?.abort()
  await removeTails(client, key)
  await removeObject(client, blobOf(key))
}

/** Removes tails from before a time (ms) whose keys have no row. */
export async function removeOldTails(client: S3Client, before: number, isNamed: IsNamed): Promise<void> {
  for await (const { name, modifiedAt } of listObjects(client, 't/')) {
    const [key = ''] = name.split('/')
    if (!(modifiedAt < before) || (hexForm.test(key) && (await isNamed([key])).has(key))) continue
    await removeObject(client, `t/${name}`)
  }
}
