/** What a sweep is told where no file has lost anything. */
import type { Missed } from '../../src/blobs/blob-store.ts'

export const nothingMissed: Missed = { isAny: async () => false, find: async () => new Set() }
