/** Times work, repeats it in turns, and sums samples up. */
import { performance } from 'node:perf_hooks'

export interface Figures {
  median: number
  /** Of 100 samples 95 are no larger, or 99. */
  p95: number
  p99: number
  min: number
  max: number
}

/** Sums up at least one sample; the median of an even number of them is the mean of the middle two. */
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

/** How long some work takes, in ms. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

/**
 * Takes one sample of each subject in every round, A B A B …, so that whatever else the machine does at the time
 * falls on all of them alike. Gives back the samples in the order of the subjects.
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
