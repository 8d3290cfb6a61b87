/** Uploads and downloads of one large file, and of its end. */
import { createReadStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { megabyte } from '../client.ts'
import { getRequest, sendLoad } from '../load.ts'
import { interleave, summarize, timed } from '../measure.ts'
import type { Row } from '../table.ts'
import { download } from '../transfers.ts'
import type { Running } from './contestant.ts'
import { rowsOf } from './rows.ts'
import { syncDisk } from './small.ts'

/** Requests for the end of a file in one sample. */
const endsPerSample = 30

const speedOf = async (size: number, work: () => Promise<unknown>): Promise<number> =>
  size / megabyte / ((await timed(work)) / 1000)

/** Runs a sampler for each server in turns; returns its subjects for rows. */
async function sampleAll(rounds: number, running: readonly Running[], sample: (one: Running) => Promise<number>) {
  const samples = await interleave(
    rounds,
    running.map(one => () => sample(one)),
  )
  return running.map(({ contestant }, index) => ({ contestant, samples: samples[index] ?? [] }))
}

const nameOf = (size: number): string => (size < 1024 * megabyte ? `${size / megabyte} MiB` : '1 GiB')

async function measureUploads(running: readonly Running[], size: number, rounds: number): Promise<Row[]> {
  const sample = async ({ contestant, target }: Running) => {
    await contestant.clearLarge(target)
    await syncDisk()
    return speedOf(size, () => contestant.sendLarge(target, size))
  }
  // Warm-up: the first transfers compile code.
  await sampleAll(1, running, sample)
  const subjects = await sampleAll(rounds, running, sample)
  return rowsOf(`upload of ${nameOf(size)}`, 'MB/s', subjects, { isUpload: true })
}

async function measureDownloads(running: readonly Running[], size: number, rounds: number): Promise<Row[]> {
  const sample = async ({ contestant, target }: Running) => {
    // Read the file first: otherwise the first reader would pay for the disk.
    await finished(createReadStream(contestant.largeBytes, { highWaterMark: megabyte }).resume())
    return speedOf(size, () => download(target, contestant.largeFile, size))
  }
  await sampleAll(1, running, sample)
  return rowsOf(`download of ${nameOf(size)}`, 'MB/s', await sampleAll(rounds, running, sample))
}

async function measureEnds(running: readonly Running[], size: number, rounds: number): Promise<Row[]> {
  // The first byte is named, because not every server understands a range that only counts from the end.
  const range = `bytes=${size - megabyte}-${size - 1}`
  const sample = async ({ contestant, target: { url, headers } }: Running) => {
    const request = getRequest({ url, headers: { ...headers, range } }, contestant.largeFile)
    const requests = Array.from({ length: endsPerSample }, () => request)
    return summarize((await sendLoad(url, { lanes: 1, requests, status: 206 })).ms).median
  }
  await sampleAll(1, running, sample)
  return rowsOf(`last MiB of ${nameOf(size)} by Range`, 'ms', await sampleAll(rounds, running, sample))
}

/** Measures transfers of the file of `size` bytes, with so many rounds of uploads. */
export async function measureLarge(running: readonly Running[], size: number, rounds: number): Promise<Row[]> {
  return [
    ...(await measureUploads(running, size, rounds)),
    // These are short, so more samples reduce the effect of other load.
    ...(await measureDownloads(running, size, 3 * rounds)),
    ...(await measureEnds(running, size, 3 * rounds)),
  ]
}
