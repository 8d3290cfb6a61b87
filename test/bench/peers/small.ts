/** Uploads and downloads of many small files. */
import { execa } from 'execa'
import { getRequest, sendLoad } from '../load.ts'
import { interleave } from '../measure.ts'
import type { Row } from '../table.ts'
import { lanes, type Running, smallSize } from './contestant.ts'
import { rowsOf } from './rows.ts'

const sizeName = `${smallSize / 1024} KiB`

/** Writes to the disk what others have left in memory, so that nobody's upload waits for them. */
export const syncDisk = (): Promise<unknown> => execa('sync')

async function checkCounts(running: readonly Running[], before: readonly number[], sent: number): Promise<void> {
  for (const [index, { contestant, target }] of running.entries()) {
    const arrived = (await contestant.countUploads(target)) - (before[index] ?? 0)
    const expected = sent * contestant.smallUploads.length
    if (arrived !== expected) throw new Error(`${contestant.name}: of ${expected} files ${arrived} arrived`)
  }
}

/** Files per second. */
export async function measureSmallUploads(running: readonly Running[], count: number, rounds: number): Promise<Row[]> {
  const before = await Promise.all(running.map(({ contestant, target }) => contestant.countUploads(target)))
  const subjects = running.flatMap(({ contestant, target }) =>
    contestant.smallUploads.map(({ build, filesPerRequest, name, ...load }) => ({
      contestant,
      way: name,
      sample: async () => {
        const requests = await build(target, count)
        await syncDisk()
        return (await sendLoad(target.url, { ...load, requests })).perSecond * filesPerRequest
      },
    })),
  )
  const samplers = subjects.map(({ sample }) => sample)
  // Warm-up: the first requests compile code.
  await interleave(1, samplers)
  const samples = await interleave(rounds, samplers)
  await checkCounts(running, before, count * (rounds + 1))
  return rowsOf(
    `upload of ${count.toLocaleString('en')} files of ${sizeName}, ${lanes} connections`,
    'files/s',
    subjects.map((subject, index) => ({ ...subject, samples: samples[index] ?? [] })),
    { isUpload: true },
  )
}

/** Each file once, in requests per second. */
export async function measureSmallDownloads(running: readonly Running[], rounds: number): Promise<Row[]> {
  const samplers = running.map(({ contestant, target }) => {
    const requests = contestant.smallFiles.map(path => getRequest(target, path))
    return async () => (await sendLoad(target.url, { lanes, requests, status: 200 })).perSecond
  })
  // Warm-up, as above.
  await interleave(1, samplers)
  const samples = await interleave(rounds, samplers)
  const count = running[0]?.contestant.smallFiles.length ?? 0
  return rowsOf(
    `download of ${count} different files of ${sizeName}, ${lanes} connections`,
    'requests/s',
    running.map(({ contestant }, index) => ({ contestant, samples: samples[index] ?? [] })),
  )
}
