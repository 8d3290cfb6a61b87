/** The statistics, or the state of loading them. */
import type { FileStats } from '../../../src/api/search.ts'

/** `soon`: just requested; `waiting`: requested long enough ago to show placeholders. */
export type Stats = FileStats | 'soon' | 'waiting' | 'failed'

/** A part of the statistics; null until they are loaded. */
export const pick = <Part>(stats: Stats, part: (stats: FileStats) => Part): Part | null =>
  typeof stats === 'string' ? null : part(stats)
