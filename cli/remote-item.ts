/** A file or folder on the server, as a download needs it. */
import type { FileItem } from '../src/api/items.ts'
import { shownPath } from './places.ts'

/** The items of a link are in no place. */
export type RemoteItem = Pick<FileItem, 'id' | 'name' | 'path' | 'size' | 'is_directory' | 'modified_at'> &
  Partial<Pick<FileItem, 'place'>>

/** Returns the path of an item as a person types it; of what a link is on, which is the root of its paths, the name. */
export function labelOf({ place = null, path, name }: RemoteItem): string {
  return place === null && path === '/' ? name : shownPath({ place, path })
}
