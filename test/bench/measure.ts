/** Times work, repeats it in turns, and summarises samples. */
import { performance } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'

export interface Figures {
  median: number
  /** The 95th and the 99th percentile. */
  p95: number
  p99: number
  min: number
  max: number
}

/** Summarises one or more samples; the median of an even number is the mean of the middle two. */
export function summarize(samples: readonly number[]): Figures {
  const sorted = samples.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  const middle = (sorted.length - 1) / 2
  return {
    median: (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2,
    p95: at(Math.ceil(sorted.length * 0.95) - 1),
    p99: at(Math.ceil(sorted.length * 0.99) - 1),
    min: at(0),
    max: at(sorted.length - 1),
  }
}

/** The time that some work takes, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/** The same for a change of a whole tree. Waits until the server lets its user make the next one, without counting that. */
export async function timedTreeChange(work: () => Promise<unknown>): Promise<number> {
  const time = await timed(work)
  await setTimeout(Math.min(3 * time, 10_000))
  return time
}

/**
 * Takes one sample of each subject in every round (A B A B …), so that other load on the machine affects all subjects
 * alike. Returns the samples in the order of the subjects.
 */
export async function interleave<const Subjects extends readonly (() => Promise<number>)[]>(
  rounds: number,
  subjects: Subjects,
): Promise<{ [Index in keyof Subjects]: number[] }> {
  const samples = subjects.map((): number[] => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, sample] of subjects.entries()) samples[index]?.push(await sample())
  }
  return samples as { [Index in keyof Subjects]: number[] }
}
