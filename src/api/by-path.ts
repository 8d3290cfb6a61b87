/** Asks for the item at a path, however long that is. */
import type { Call } from './client.ts'
import type { OutputOf } from './endpoint.ts'
import { findFileByPath, getFileByPath } from './files.ts'

/** Characters of a path in an address: with its headers a request stays within the 8 KB that proxies take. */
const maxAddressPath = 4096

/** Rejects as the calls do: `not_found` where nothing stands there. */
export function callByPath(call: Call, path: string): Promise<OutputOf<typeof getFileByPath>> {
  const isShort = encodeURIComponent(path).length <= maxAddressPath
  return isShort ? call(getFileByPath, { path }) : call(findFileByPath, { path })
}
