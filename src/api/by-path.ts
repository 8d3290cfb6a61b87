/** Fetches the item at a path of any length. */
import type { Call } from './client.ts'
import type { OutputOf } from './endpoint.ts'
import { findFileByPath, getFileByPath } from './files.ts'

/** Longest encoded path in a URL, in characters: with its headers a request stays within the 8 KB that proxies take. */
const maxAddressPath = 4096

/** The path begins in `folderId` (null: the root). Rejects as the calls do: `not_found` if there is no item at the path. */
export function callByPath(
  call: Call,
  path: string,
  folderId: number | null = null,
): Promise<OutputOf<typeof getFileByPath>> {
  const isShort = encodeURIComponent(path).length <= maxAddressPath
  const input = { path, ...(folderId === null ? {} : { in: folderId }) }
  return isShort ? call(getFileByPath, input) : call(findFileByPath, input)
}
