/** Downloads several items, or a folder with everything below it, as one ZIP file that the server streams. */
import type { Dispatcher } from 'undici'
import { type ApiRequest, requestOf } from '../src/api/client.ts'
import { archiveFolder, archiveItems } from '../src/api/content.ts'
import type { FileItem } from '../src/api/items.ts'
import { maxBatchSize } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'
import { formatSize } from '../terminal/format.ts'
import { printData, printJson, sendData } from '../terminal/output.ts'
import { openProgress } from '../terminal/progress.ts'
import { readRefusal, type Server, sendRequest } from './client.ts'
import { formatSaved } from './download-all.ts'
import { pathInside } from './download-run.ts'
import type { Destination } from './download-target.ts'
import { refuseLink, refuseTaken } from './local-path.ts'
import { explainNetworkError } from './network.ts'
import { withRetries } from './retry.ts'
import { saveFile } from './save-file.ts'

export interface Archive {
  /** Its name in a folder. */
  name: string
  request: ApiRequest
}

/** Builds the request. The archive of a single folder has its contents at the top; other items keep their own names. */
function requestFor(items: readonly FileItem[]): ApiRequest {
  const [only] = items
  if (items.length === 1 && only?.is_directory) return requestOf(archiveFolder, { id: only.id })
  return requestOf(archiveItems, { ids: items.map(({ id }) => id) })
}

/** Returns the archive of items. Throws `notFound` for none and `usage` for too many. */
export function archiveOf(items: readonly FileItem[]): Archive {
  const [only] = items
  if (only === undefined) throw new CommandError('notFound', 'There is nothing to put into the archive')
  if (items.length > maxBatchSize) {
    throw new CommandError(
      'usage',
      `An archive takes at most ${maxBatchSize} items at its top; name fewer, or a folder`,
    )
  }
  return { name: items.length === 1 ? `${only.name}.zip` : 'filestore.zip', request: requestFor(items) }
}

async function requestOnce(server: Server, { method, url, body }: ApiRequest): Promise<Dispatcher.ResponseData> {
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await sendRequest(server, { method: method as Dispatcher.HttpMethod, path: url, headers, body })
  if (response.statusCode !== 200) await readRefusal(server, response)
  return response
}

/** Requests the archive, with retries until it starts. A broken download cannot be resumed. */
const requestArchive = (server: Server, request: ApiRequest): Promise<Dispatcher.ResponseData> =>
  withRetries(() => requestOnce(server, request), server.signal, true)

async function* readArchive(server: Server, request: ApiRequest, onBytes: (count: number) => void) {
  try {
    const response = await requestArchive(server, request)
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      yield chunk
      onBytes(chunk.length)
    }
  } catch (error) {
    server.signal.throwIfAborted()
    throw explainNetworkError(server.url, error)
  }
}

/** Returns the local path of an archive; null is standard output. Throws `conflict` like `refuseLink` and `refuseTaken`. */
async function pathOf({ target, replaces }: Destination, name: string): Promise<string | null> {
  if (target.kind === 'stdout') return null
  if (target.kind === 'file') return target.path
  const path = pathInside(target.path, name)
  await refuseLink(path)
  if (!replaces) await refuseTaken(path)
  return path
}

/**
 * Downloads an archive and prints the result: `items` as JSON if they are given, else a table. It has no hash and cannot
 * be resumed, so a broken connection saves no file.
 */
export async function saveArchive(
  server: Server,
  { name, request }: Archive,
  destination: Destination,
  items: readonly object[] | undefined,
): Promise<void> {
  const path = await pathOf(destination, name)
  const progress = await openProgress()
  const transfer = progress.open(path ?? 'archive', undefined)
  let size = 0
  const content = readArchive(server, request, count => {
    size += count
    transfer.add(count)
  })
  transfer.begin()
  try {
    if (path === null) await sendData(content, server.signal)
    else await saveFile(path, { content, modifiedAt: undefined, signal: server.signal })
  } finally {
    transfer.end()
    progress.stop()
  }
  if (path === null) return
  if (items !== undefined) printJson(items)
  else printData(formatSaved([[formatSize(size), path]]))
}
