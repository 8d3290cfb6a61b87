/** The figures of all processes of a server as one. */
import type { Series } from '../base/metrics.ts'

const joins: Record<Series['together'], (one: number, other: number) => number> = {
  sum: (one, other) => one + other,
  max: Math.max,
  min: Math.min,
}

/** One figure of two processes. */
function join(one: Series, other: Series): Series {
  const samples = new Map(one.samples)
  for (const [sample, value] of other.samples) {
    const known = samples.get(sample)
    samples.set(sample, known === undefined ? value : joins[one.together](known, value))
  }
  return { ...one, samples: [...samples] }
}

/** Joins the figures of several processes by their names. */
export function joinFigures(lists: readonly (readonly Series[])[]): Series[] {
  const joined = new Map<string, Series>()
  for (const series of lists.flat()) {
    const known = joined.get(series.name)
    joined.set(series.name, known === undefined ? series : join(known, series))
  }
  return [...joined.values()]
}

/** What stays of a process that has ended: what it counted is counted, so that no sum ever falls. */
export const lasting = (list: readonly Series[]): Series[] => list.filter(({ type }) => type !== 'gauge')
