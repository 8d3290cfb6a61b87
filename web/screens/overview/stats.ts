/** The statistics as far as they are there. */
import type { FileStats } from '../../../src/api/search.ts'

/** `soon`: asked for a moment ago; `waiting`: long enough ago to show that they are still to come. */
export type Stats = FileStats | 'soon' | 'waiting' | 'failed'

/** One of the statistics, or null while there is none. */
export const pick = <Part>(stats: Stats, part: (stats: FileStats) => Part): Part | null =>
  typeof stats === 'string' ? null : part(stats)
