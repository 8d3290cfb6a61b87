/** Derives columns from a name. */
import mime from 'mime-types'
import { splitName } from '../api/names.ts'
import { fold, sortKey } from '../db/fold.ts'

/** The MIME type of a name's extension; the type that a client declares is not trusted. */
const mimeTypeOf = (name: string): string => {
  const { extension } = splitName(name, false)
  // Look up the extension only: given a name without one, the library would take the name itself for an extension.
  return (extension !== '' && mime.lookup(extension)) || 'application/octet-stream'
}

/** The columns name, name_folded, sort_key and mime_type of an item with this name. */
export const nameColumns = (name: string, isDirectory: boolean) => ({
  name,
  name_folded: fold(name),
  sort_key: sortKey(name),
  mime_type: isDirectory ? null : mimeTypeOf(name),
})
