/** Resident memory of a process, as Linux reports it. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const megabyte = 1024 ** 2
/** Memory counts as stable when this many samples are within `settledRange`. */
const settledSamples = 10
const sampleEvery = 200
const settledRange = megabyte
const maxSamples = 100

async function readStatus(pid: number, field: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kilobytes] = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status) ?? []
  return Number(kilobytes) * 1024
}

/** Lists a process and all processes below it. */
export async function listTree(pid: number): Promise<number[]> {
  // The kernel lists children by the thread that made them, and a thread can end meanwhile.
  const listChildren = (thread: string) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')
  const lists = await Promise.all((await readdir(`/proc/${pid}/task`)).map(listChildren))
  const below = lists.flatMap(list => list.split(' ').filter(Boolean))
  return [pid, ...(await Promise.all(below.map(child => listTree(Number(child))))).flat()]
}

async function readTreeMemory(pid: number): Promise<number> {
  const sizes = await Promise.all((await listTree(pid)).map(one => readStatus(one, 'VmRSS')))
  return sizes.reduce((sum, size) => sum + size, 0)
}

/** The memory of a process and those below it in MB, once it is stable. Pages that they share count for each. */
export async function readSettledMemory(pid: number): Promise<number> {
  const samples: number[] = []
  for (let count = 0; count < maxSamples; count++) {
    samples.push(await readTreeMemory(pid))
    const last = samples.slice(-settledSamples)
    if (last.length === settledSamples && Math.max(...last) - Math.min(...last) <= settledRange) break
    await delay(sampleEvery)
  }
  return (samples.at(-1) ?? Number.NaN) / megabyte
}

/**
 * The peak memory of a process in MB during some work. The kernel records it, so no peak is missed between two samples.
 */
export async function readPeakMemory(pid: number, work: () => Promise<unknown>): Promise<number> {
  // Writing 5 resets the recorded peak to the current memory (proc(5), clear_refs).
  await writeFile(`/proc/${pid}/clear_refs`, '5')
  await work()
  return (await readStatus(pid, 'VmHWM')) / megabyte
}
