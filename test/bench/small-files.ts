/** Uploads and downloads of many small files over eight connections, compared with a bare server. */

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readAnswer } from '../../src/api/client.ts'
import { downloadFile } from '../../src/api/content.ts'
import { listFiles, uploadFile } from '../../src/api/files.ts'
import type { ItemAnswer } from '../../src/api/items.ts'
import { createApiKey } from '../../src/api/keys.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { withBareServer } from './bare.ts'
import { type Client, sendBytes, type Target } from './client.ts'
import { getRequest, sendLoad, uploadRequest } from './load.ts'
import { interleave, summarize } from './measure.ts'
import type { Measuring } from './options.ts'
import { setQuota } from './place.ts'
import { password, withPlace, withProduct } from './product.ts'
import type { Row } from './table.ts'

const fileSize = 10 * 1024
const lanes = 8

let files = 0

const uploadsOf = (target: Target, path: string, count: number): Buffer[] =>
  Array.from({ length: count }, () => uploadRequest(target, path, `file ${++files}.bin`, fileSize))

async function measureUploads(client: Client, bare: Target, count: number, rounds: number): Promise<Row[]> {
  const send = async (target: Target, path: string, status: number) => {
    const load = { lanes, requests: uploadsOf(target, path, count), status }
    return (await sendLoad(target.url, load)).perSecond
  }
  const subjects = [() => send(client, `/api${uploadFile.path}`, 201), () => send(bare, '/', 200)] as const
  // Warm-up: the first requests compile code.
  await interleave(1, subjects)
  const [own, reference] = await interleave(rounds, subjects)
  const { total } = await client.call(listFiles, { limit: 1 })
  if (total !== count * (rounds + 1)) throw new Error(`of ${count * (rounds + 1)} files ${total} arrived`)
  return [
    {
      name: `upload of ${count.toLocaleString('en')} files of 10 KB, ${lanes} connections`,
      unit: 'files/s',
      value: summarize(own),
      reference: { name: 'bare', figures: summarize(reference) },
      bound: { of: 'ratio', side: 'at least', limit: 0.75 },
    },
  ]
}

/** Makes a device key of the administrator; returns the headers of its requests. */
export async function makeDeviceKey(client: Client, permissions: Permission[]): Promise<Record<string, string>> {
  const { key_id, secret } = await client.call(createApiKey, {
    name: 'benchmark',
    kind: 'device',
    current_password: password,
    permissions,
  })
  return { 'x-api-key-id': key_id, 'x-api-secret': secret }
}

/** Uploads a file to either server; returns the paths to it. */
async function placeFile(client: Client, folder: string): Promise<{ path: string; barePath: string }> {
  const text = await sendBytes(client, `/api${uploadFile.path}`, 'small.bin', fileSize)
  const { id } = readAnswer<ItemAnswer>({ status: 201, text }).file
  const file = join(folder, 'small.bin')
  await writeFile(file, Buffer.alloc(fileSize, 'small'))
  return {
    path: `/api${downloadFile.path.replace(':id', String(id))}`,
    barePath: `/?file=${encodeURIComponent(file)}`,
  }
}

async function measureDownloads(client: Client, bare: Target & { folder: string }, count: number, rounds: number) {
  const { path, barePath } = await placeFile(client, bare.folder)
  const byKey: Target = { url: client.url, headers: await makeDeviceKey(client, ['files:read']) }
  const latencies: number[] = []
  const read = async (target: Target, what: string) => {
    const requests = Array.from({ length: count }, () => getRequest(target, what))
    const { perSecond, ms } = await sendLoad(target.url, { lanes, requests, status: 200 })
    if (target === client) latencies.push(...ms)
    return perSecond
  }
  const subjects = [() => read(client, path), () => read(byKey, path), () => read(bare, barePath)] as const
  await interleave(1, subjects)
  latencies.length = 0
  const [session, key, reference] = await interleave(rounds, subjects)
  const name = `download of 10 KB, ${lanes} connections`
  const row = (who: string, samples: number[]): Row => ({
    name: `${name}, ${who}`,
    unit: 'requests/s',
    value: summarize(samples),
    reference: { name: 'bare', figures: summarize(reference) },
    bound: { of: 'ratio', side: 'at least', limit: 0.55 },
  })
  const latency: Row = {
    name: `${name}: each`,
    unit: 'ms',
    value: summarize(latencies),
    bound: { of: 'p99', side: 'at most', limit: 8 },
  }
  return [row('session', session), row('device key', key), latency]
}

export async function measureSmallFiles(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const [count, rounds] = isQuick ? [200, 2] : [2000, 7]
  return withPlace(measuring, async place => {
    await setQuota(place, 2 * (rounds + 1) * count * fileSize)
    return withProduct(place, client =>
      withBareServer(async bare => {
        const target = { ...bare, headers: {} }
        const uploads = await measureUploads(client, target, count, rounds)
        return [...uploads, ...(await measureDownloads(client, target, 2 * count, rounds))]
      }),
    )
  })
}
