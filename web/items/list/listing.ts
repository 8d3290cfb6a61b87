/** A list of items, as far as it is loaded. */
import type { FileItem } from '../../../src/api/items.ts'

export interface Listing<Item extends FileItem = FileItem> {
  /** The loaded items, from the first. */
  items: readonly Item[]
  /** The number of all items, loaded or not. */
  total: number
  /** How many of all are folders sorted before the files; 0 when both are mixed. */
  folders: number
  /** Loads the next page; does nothing while one is loading. */
  loadMore: () => void
  /** Whether loading the next page failed. It is not retried until the user asks. */
  isStuck: boolean
}
