/** Links: a visitor's downloads beside signed-in ones, the time until a preview is seen, and a flood of unknown links. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { getProfile } from '../../src/api/auth.ts'
import { readAnswer, requestOf } from '../../src/api/client.ts'
import { downloadFile } from '../../src/api/content.ts'
import { uploadFile } from '../../src/api/files.ts'
import type { ItemAnswer } from '../../src/api/items.ts'
import { createLink } from '../../src/api/links.ts'
import { downloadLinkFile } from '../../src/api/visits.ts'
import { launchBrowser, type TestBrowser } from '../e2e/browser.ts'
import { type BareServer, withBareServer } from './bare.ts'
import { type Client, megabyte, readBytes, sendBytes, sendContent, type Target } from './client.ts'
import { drain } from './drain.ts'
import { getRequest, sendLoad } from './load.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { setQuota } from './place.ts'
import { withPlace, withProduct } from './product.ts'
import type { Bound, Row } from './table.ts'

const lanes = 8
const smallSize = 10 * 1024

const asFast: Bound = { of: 'ratio', side: 'at least', limit: 0.9 }

interface Shared {
  /** The path of the visitor's page. */
  page: string
  /** The paths of a download with an account, and as a visitor. */
  own: string
  visited: string
}

/** Makes a link to a file that has just been uploaded, from the answer to its upload. */
async function share(client: Client, text: string): Promise<Shared> {
  const { id } = readAnswer<ItemAnswer>({ status: 201, text }).file
  const { link } = await client.call(createLink, { item_id: id, level: 'view' })
  const token = link.token ?? ''
  return {
    page: `/s/${token}`,
    own: `/api${downloadFile.path.replace(':id', String(id))}`,
    visited: `/api${requestOf(downloadLinkFile, { token, id }).url}`,
  }
}

async function measureLarge(client: Client, visitor: Target, size: number, rounds: number): Promise<Row> {
  const { own, visited } = await share(client, await sendBytes(client, `/api${uploadFile.path}`, 'large.bin', size))
  const speed = async (target: Target, path: string) => {
    const time = await timed(async () => {
      const came = await drain(target, path)
      if (came !== size) throw new Error(`${came} of ${size} bytes came`)
    })
    return size / megabyte / (time / 1000)
  }
  const subjects = [() => speed(visitor, visited), () => speed(client, own)] as const
  await interleave(1, subjects)
  const [value, reference] = await interleave(rounds, subjects)
  return {
    name: `visitor's download of ${size / megabyte} MB`,
    unit: 'MB/s',
    value: summarize(value),
    reference: { name: 'session', figures: summarize(reference) },
    bound: asFast,
  }
}

async function measureSmall(client: Client, visitor: Target, count: number, rounds: number): Promise<Row> {
  const text = await sendBytes(client, `/api${uploadFile.path}`, 'small.bin', smallSize)
  const { own, visited } = await share(client, text)
  const rate = async (target: Target, path: string) => {
    const requests = Array.from({ length: count }, () => getRequest(target, path))
    return (await sendLoad(target.url, { lanes, requests, status: 200 })).perSecond
  }
  const subjects = [() => rate(visitor, visited), () => rate(client, own)] as const
  await interleave(1, subjects)
  const [value, reference] = await interleave(rounds, subjects)
  return {
    name: `visitor's downloads of 10 KB, ${lanes} connections`,
    unit: 'requests/s',
    value: summarize(value),
    reference: { name: 'session', figures: summarize(reference) },
    bound: asFast,
  }
}

/** A JPEG of 12 megapixels that is as large as a camera's. */
const drawPhoto = (): Promise<Buffer> =>
  sharp(randomBytes(500 * 375 * 3), { raw: { width: 500, height: 375, channels: 3 } })
    .resize(4000, 3000)
    .jpeg({ quality: 90 })
    .toBuffer()

/** Runs in the page: keeps in `seenAt` when the first picture of a file has been painted, in ms after the start. */
const watchPicture = `globalThis.seenAt = new Promise(resolve => {
  const look = async () => {
    const picture = document.querySelector('img[src*="/preview"], img[src*="file="]')
    if (!picture?.complete || picture.naturalWidth === 0) return requestAnimationFrame(look)
    await picture.decode()
    requestAnimationFrame(() => resolve(performance.now()))
  }
  requestAnimationFrame(look)
})`

/** ms until the picture of a page is seen by somebody who has never been there. */
async function timePicture(browser: TestBrowser, url: string): Promise<number> {
  const { page } = await browser.openLasting()
  try {
    await page.addInitScript(watchPicture)
    await page.goto(url)
    return await page.evaluate<number>('globalThis.seenAt')
  } finally {
    await page.context().close()
  }
}

async function measurePreview(client: Client, bare: BareServer, rounds: number): Promise<Row> {
  const photo = await drawPhoto()
  const { page } = await share(
    client,
    await sendContent(client, `/api${uploadFile.path}`, 'photo.jpg', {
      pieces: Readable.from([photo]),
      size: photo.length,
    }),
  )
  const file = join(bare.folder, 'photo.jpg')
  const html = join(bare.folder, 'page.html')
  await writeFile(file, photo)
  await writeFile(html, `<!doctype html><title>photo</title><img src="/?file=${encodeURIComponent(file)}">`)
  const browser = await launchBrowser(client)
  try {
    const subjects = [
      () => timePicture(browser, client.url + page),
      () => timePicture(browser, `${bare.url}/?file=${encodeURIComponent(html)}`),
    ] as const
    await interleave(1, subjects)
    const [value, reference] = await interleave(rounds, subjects)
    return {
      name: `visitor's page: photo of ${Math.round(photo.length / megabyte)} MB seen`,
      unit: 'ms',
      value: summarize(value),
      reference: { name: 'bare page', figures: summarize(reference) },
      bound: { of: 'ratio', side: 'at most', limit: 1.2 },
    }
  } finally {
    await browser.close()
  }
}

const floodRate = 2000
/** ms between two bursts of a flood. */
const burstEvery = 50

/** Asks for unknown links at the rate of a flood, until `isOver`; returns how many a second were answered. */
async function flood(url: string, isOver: () => boolean): Promise<number> {
  const requests = Array.from({ length: (floodRate * burstEvery) / 1000 }, () =>
    getRequest({ url, headers: {} }, `/api/s/${randomBytes(16).toString('base64url')}`),
  )
  const began = performance.now()
  let bursts = 0
  while (!isOver()) {
    // Until the address has used up its tries, it learns that there is no such link.
    await sendLoad(url, { lanes, requests, status: [404, 429] })
    bursts += 1
    await setTimeout(Math.max(0, began + bursts * burstEvery - performance.now()))
  }
  return (bursts * requests.length) / ((performance.now() - began) / 1000)
}

async function measureFlood(client: Client, seconds: number): Promise<Row[]> {
  const path = `/api${requestOf(getProfile, {}).url}`
  const end = performance.now() + seconds * 1000
  const isOver = () => performance.now() >= end
  const flooding = flood(client.url, isOver)
  const samples: number[] = []
  while (!isOver()) samples.push(await timed(() => readBytes(client, path)))
  const rate = await flooding
  return [
    {
      name: `call beside ${floodRate.toLocaleString('en')} unknown links a second`,
      unit: 'ms',
      value: summarize(samples),
      bound: { of: 'p95', side: 'at most', limit: 50 },
    },
    {
      name: 'unknown links that were answered meanwhile',
      unit: 'requests/s',
      value: summarize([rate]),
      bound: { of: 'median', side: 'at least', limit: 0.95 * floodRate },
    },
  ]
}

export async function measureLinks(measuring: Measuring): Promise<Row[]> {
  const { isQuick } = measuring
  const size = (isQuick ? 64 : 1024) * megabyte
  return withPlace(measuring, async place => {
    await setQuota(place, 2 * size)
    const measure = (client: Client) =>
      withBareServer(async bare => {
        const visitor = { url: client.url, headers: {} }
        return [
          await measureLarge(client, visitor, size, isQuick ? 2 : 15),
          await measureSmall(client, visitor, isQuick ? 200 : 4000, isQuick ? 2 : 7),
          await measurePreview(client, bare, isQuick ? 3 : 15),
          ...(await measureFlood(client, isQuick ? 2 : 10)),
        ]
      })
    return withProduct(place, measure, ['--max-file-size', '2GB'])
  })
}
