/** A list of items as far as it is loaded. */
import type { FileItem } from '../../../src/api/items.ts'

export interface Listing {
  /** Those that are loaded, from the first. */
  items: readonly FileItem[]
  /** All of them, also those that are not loaded yet. */
  total: number
  /** How many of all are folders that stand before every file; 0 where folders and files are mixed. */
  folders: number
  /** Brings the next page; does nothing while one is on its way. */
  loadMore: () => void
  /** Whether the next page failed: nothing asks for it again until somebody wants it. */
  isStuck: boolean
}
