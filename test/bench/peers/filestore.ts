/** filestore as a contestant, with an account of as many files as the peers' folder has. */
import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { request } from 'undici'
import { createManyMultipart } from '../../../cli/multipart.ts'
import { readAnswer, requestOf } from '../../../src/api/client.ts'
import { downloadFile } from '../../../src/api/content.ts'
import { listFiles, uploadFile } from '../../../src/api/files.ts'
import type { ItemAnswer } from '../../../src/api/items.ts'
import { maxUploadManyFiles } from '../../../src/api/limits.ts'
import { deleteFile, trashFile } from '../../../src/api/trash.ts'
import { uploadMany } from '../../../src/api/upload-many.ts'
import { folderOfStore } from '../../../src/blobs/open-store.ts'
import { type Client, sendBytes, type Target } from '../client.ts'
import { bodyRequest, uploadRequest } from '../load.ts'
import { changeRows, type Place, setQuota } from '../place.ts'
import { plantTree } from '../plant.ts'
import { startProduct, withProduct } from '../product.ts'
import { openOutput } from '../server-process.ts'
import { makeDeviceKey } from '../small-files.ts'
import { findBytes, uploadLarge } from '../transfers.ts'
import { type Contestant, lanes, newName, type SmallUploads, smallSize } from './contestant.ts'
import { findLargeFiles, type Sizes } from './data-folder.ts'

const quota = 1024 ** 4
const lanesTogether = 4
const largestFile = ['--max-file-size', '2GB']
const pathOf = (id: number): string => `/api${downloadFile.path.replace(':id', String(id))}`

/** A request for each file. */
const single: SmallUploads = {
  name: '',
  filesPerRequest: 1,
  lanes,
  status: 201,
  build: async (target, count) =>
    Array.from({ length: count }, () => uploadRequest(target, `/api${uploadFile.path}`, newName(), smallSize)),
}

async function manyRequest(target: Target): Promise<Buffer> {
  const files = Array.from({ length: maxUploadManyFiles }, () => {
    const bytes = randomBytes(smallSize)
    return { item: { name: newName(), sha256: createHash('sha256').update(bytes).digest('hex') }, bytes }
  })
  const { headers, body } = createManyMultipart(null, files, () => undefined)
  return bodyRequest(target, 'POST', `/api${uploadMany.path}`, Buffer.concat(await body.toArray()), {
    'content-type': headers['content-type'] ?? '',
  })
}

/**
 * Requests of as many files as both clients send. Six at once can be more bytes than one account may send; then clients
 * wait and try again.
 */
const together: SmallUploads = {
  name: `upload-many over ${lanesTogether} connections`,
  filesPerRequest: maxUploadManyFiles,
  lanes: lanesTogether,
  status: 200,
  build: (target, count) => Promise.all(Array.from({ length: count / maxUploadManyFiles }, () => manyRequest(target))),
}

async function countFiles({ url, headers }: Target): Promise<number> {
  const { statusCode, body } = await request(`${url}/api${requestOf(listFiles, { limit: 1 }).url}`, { headers })
  return readAnswer<{ total: number }>({ status: statusCode, text: await body.text() }).total
}

/** Calls the API about an item. */
async function change({ url, headers }: Target, call: typeof trashFile | typeof deleteFile, id: number): Promise<void> {
  const { method, url: path } = requestOf(call, { id })
  const { statusCode, body } = await request(`${url}/api${path}`, { method: method as 'PUT', headers })
  if (statusCode !== 200) throw new Error(`${method} ${path}: ${statusCode} ${await body.text()}`)
  await body.dump()
}

/** Deletes files for good, and waits until the server has removed their bytes from the disk. */
async function deleteLarge(target: Target, ids: readonly number[], blobs: string, kept: string): Promise<void> {
  for (const id of ids) {
    await change(target, trashFile, id)
    await change(target, deleteFile, id)
  }
  while ((await findLargeFiles(blobs)).some(path => path !== kept)) await setImmediate()
}

/** Uploads the files to download; returns their ids. */
async function uploadFiles(client: Client, { smallFiles, large }: Sizes) {
  const small: number[] = []
  for (let index = 0; index < smallFiles; index++) {
    const text = await sendBytes(client, `/api${uploadFile.path}`, newName(), smallSize)
    small.push(readAnswer<ItemAnswer>({ status: 201, text }).file.id)
  }
  return { small, large: await uploadLarge(client, large) }
}

/** Fills a new place. The server's log goes to a file in its folder. */
export async function filestoreContestant(place: Place, sizes: Sizes): Promise<Contestant> {
  await changeRows(place, (db, owner) => plantTree(db, owner, 'Archive', sizes.oldFiles))
  await setQuota(place, quota)
  const setUp = async (client: Client) => ({
    headers: await makeDeviceKey(client, ['files:read', 'files:write', 'files:upload', 'files:delete']),
    ids: await uploadFiles(client, sizes),
  })
  const { headers, ids } = await withProduct(place, setUp, largestFile)
  const start = async () => {
    const log = await openOutput(join(place.config.dataDir, 'server.log'))
    return startProduct(place, [...largestFile, '--log-level', 'info'], log).finally(() => log.destroy())
  }
  const largeBytes = await findBytes(place, ids.large)
  const blobs = join(folderOfStore(place.config) ?? '', 'blobs')
  const sent: number[] = []
  return {
    name: 'filestore',
    syncs: true,
    headers,
    start,
    smallUploads: [single, together],
    countUploads: countFiles,
    smallFiles: ids.small.map(pathOf),
    largeFile: pathOf(ids.large),
    largeBytes,
    sendLarge: async (target, size) => sent.push(await uploadLarge(target, size)),
    clearLarge: target => deleteLarge(target, sent.splice(0), blobs, largeBytes),
  }
}
