/** A file or folder on the server, as a download needs it. */
import type { FileItem } from '../src/api/items.ts'

/** The items of a link are in no place. */
export type RemoteItem = Pick<FileItem, 'id' | 'name' | 'path' | 'size' | 'is_directory' | 'modified_at'> &
  Partial<Pick<FileItem, 'place'>>
