/**
 * An object store as a blob store: bytes under `b/<key>`, the ends of those that are being appended to under
 * `t/<key>/`, the quarantine under `q/<name>`, and the mark in `store-id`.
 */
import * as z from 'zod/mini'
import { second } from '../../base/clock.ts'
import {
  type Announced,
  type AsidePlace,
  type BlobStore,
  hexForm,
  type IsNamed,
  type StoredKey,
  type StoreMark,
  timeToOpen,
} from '../blob-store.ts'
import { nameOfS3, type S3Address } from './address.ts'
import { appendObject, dropObject, removeOldTails, sealObject } from './append.ts'
import { openS3Client, type S3Client } from './client.ts'
import { copyObject, moveObject } from './copy.ts'
import type { S3Credentials } from './credentials.ts'
import { listObjects, listUnfinished } from './list.ts'
import { ignoreMissing, removeObject, sizeOfObject } from './objects.ts'
import { openPartsOf } from './parts.ts'
import { partSizeFor, putObject } from './put.ts'
import { readObject } from './read.ts'
import { openSendings } from './sending.ts'
import { refuseUnusable } from './usable.ts'

interface S3Options {
  address: S3Address
  credentials: S3Credentials
  /** The largest object that is written, in bytes. */
  largest: number
  /** The folder for parts of uploads that have no room in memory; it need not exist. */
  temporary: string
  /** The most bytes in memory of parts that are gathered and sent. */
  memory?: number
}

/** Enough for parts of the usual size of a dozen uploads at once. */
const partMemory = 96 * 1024 ** 2

/** Throws ENOENT for a malformed key, which a damaged row may hold: its reader reports missing bytes and goes on. */
function placeOf(key: string): string {
  if (!hexForm.test(key)) throw Object.assign(new Error('not the key of a blob'), { code: 'ENOENT' })
  return `b/${key}`
}

const taken = () => Object.assign(new Error('the key has bytes already'), { code: 'EEXIST' })

async function sizeOf(client: S3Client, key: string): Promise<number | null> {
  if (!hexForm.test(key)) return null
  return (await sizeOfObject(client, placeOf(key)).catch(ignoreMissing)) ?? null
}

/** Seconds for which the address of a download holds: long enough to begin it. */
const redirectSeconds = 60

async function redirect(client: S3Client, key: string, { size, contentType, disposition }: Announced) {
  if (!client.address.redirect || (await sizeOf(client, key)) !== size) return null
  const query = {
    'response-content-type': contentType,
    'response-content-disposition': disposition,
    'response-cache-control': 'private, no-store',
  }
  return client.sign(placeOf(key), query, redirectSeconds)
}

/** Opens an object store. Throws `invalid_input` if its bucket, region or credentials cannot be right. */
export async function openS3Store({
  address,
  credentials,
  largest,
  temporary,
  memory = partMemory,
}: S3Options): Promise<BlobStore> {
  const client = openS3Client(address, credentials)
  await refuseUnusable(client)
  const openParts = openPartsOf({ memory, folder: temporary })
  const sendings = { partSize: partSizeFor(largest), openParts, openSending: openSendings() }
  return {
    name: nameOfS3(address),
    timeToOpen: address.redirect ? (redirectSeconds + 30) * second : timeToOpen,
    put: async (key, source) => {
      const place = placeOf(key)
      // A 404 by a proxy does no harm here: the upload fails at it anyway.
      if ((await sizeOfObject(client, place, { trusts404: true }).catch(ignoreMissing)) !== undefined) throw taken()
      await putObject(client, place, source, sendings)
    },
    append: async (key, offset, source, options) => {
      placeOf(key)
      return appendObject(client, key, offset, source, { ...options, ...sendings })
    },
    seal: (key, appended) => sealObject(client, key, appended),
    drop: (key, state) => dropObject(client, key, state),
    read: async (key, range, options) => readObject(client, placeOf(key), range, options),
    size: key => sizeOf(client, key),
    redirect: (key, announced) => redirect(client, key, announced),
    rejuvenate: async key => copyObject(client, placeOf(key), placeOf(key)).catch(ignoreMissing),
    replace: async (key, by) => moveObject(client, placeOf(by), placeOf(key)),
    remove: async key => removeObject(client, placeOf(key)),
    list: () => listKeys(client),
    removeUnfinished: (before, isNamed) => removeUnfinished(client, before, isNamed),
    check: () => check(client),
    readMark: () => readMark(client),
    saveMark: async mark => {
      await client.ask({ method: 'PUT', key: markKey, body: Buffer.from(JSON.stringify(mark)) })
    },
    aside: openAside(client),
    local: null,
  }
}

async function* listKeys(client: S3Client): AsyncGenerator<StoredKey> {
  for await (const { name, ...found } of listObjects(client, 'b/')) {
    if (hexForm.test(name)) yield { key: name, ...found }
  }
}

async function removeUnfinished(client: S3Client, before: number, isNamed: IsNamed): Promise<void> {
  await removeOldTails(client, before, isNamed)
  for await (const { name, uploadId, begunAt } of listUnfinished(client, 'b/')) {
    if (!(begunAt < before) || (await isNamed([name])).has(name)) continue
    await client.ask({ method: 'DELETE', key: `b/${name}`, query: { uploadId } }).catch(ignoreMissing)
  }
}

/** ms; who asks whether the store can be used waits no longer. */
const checkTimeout = 2_000

async function check(client: S3Client): Promise<void> {
  await client.ask({ method: 'HEAD', tries: 1, within: checkTimeout })
}

const markKey = 'store-id'
const markForm = z.object({ id: z.int(), sweeps: z.int() })

async function readMark(client: S3Client): Promise<StoreMark | null> {
  const answer = await client.ask({ method: 'GET', key: markKey }).catch(ignoreMissing)
  return answer === undefined ? null : markForm.parse(JSON.parse(answer.text))
}

const asideOf = (name: string): string => `q/${name}`

const openAside = (client: S3Client): AsidePlace => ({
  take: async (key, name) => moveObject(client, placeOf(key), asideOf(name)).catch(ignoreMissing),
  giveBack: async (name, key) => {
    const place = placeOf(key)
    if ((await sizeOf(client, key)) !== null) throw taken()
    await moveObject(client, asideOf(name), place)
  },
  read: name => readObject(client, asideOf(name)),
  list: async function* () {
    for await (const { name } of listObjects(client, 'q/')) yield name
  },
  remove: name => removeObject(client, asideOf(name)),
})
