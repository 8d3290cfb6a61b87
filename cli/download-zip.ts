/** Downloads several items, or a folder with everything below it, as one ZIP file that the server streams. */
import type { Dispatcher } from 'undici'
import { requestOf } from '../src/api/client.ts'
import { archiveFolder, archiveItems } from '../src/api/content.ts'
import type { FileItem } from '../src/api/items.ts'
import { maxBatchSize } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'
import { sendData } from '../terminal/output.ts'
import type { Progress } from '../terminal/progress.ts'
import { readRefusal, type Server, sendRequest } from './client.ts'
import { pathInside } from './download-run.ts'
import { refuseLink } from './local-path.ts'
import { explainNetworkError } from './network.ts'
import { withRetries } from './retry.ts'
import { saveFile } from './save-file.ts'

/** Builds the request. The archive of a single folder has its contents at the top; other items keep their own names. */
function requestFor(items: readonly FileItem[]): ReturnType<typeof requestOf> {
  const [only] = items
  if (items.length === 1 && only?.is_directory) return requestOf(archiveFolder, { id: only.id })
  return requestOf(archiveItems, { ids: items.map(({ id }) => id) })
}

async function requestOnce(server: Server, items: readonly FileItem[]): Promise<Dispatcher.ResponseData> {
  const { method, url, body } = requestFor(items)
  const headers: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
  const response = await sendRequest(server, { method: method as Dispatcher.HttpMethod, path: url, headers, body })
  if (response.statusCode !== 200) await readRefusal(server, response)
  return response
}

/** Requests the archive, with retries until it starts. A broken download cannot be resumed. */
const requestArchive = (server: Server, items: readonly FileItem[]): Promise<Dispatcher.ResponseData> =>
  withRetries(() => requestOnce(server, items), server.signal, true)

async function* readArchive(server: Server, items: readonly FileItem[], onBytes: (count: number) => void) {
  try {
    const response = await requestArchive(server, items)
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      yield chunk
      onBytes(chunk.length)
    }
  } catch (error) {
    server.signal.throwIfAborted()
    throw explainNetworkError(server.url, error)
  }
}

const archiveName = ([only, second]: readonly FileItem[]): string =>
  only !== undefined && second === undefined ? `${only.name}.zip` : 'filestore.zip'

/** Where an archive goes: into a folder under a default name, to one path, or (neither) to standard output. */
interface ArchiveTarget {
  folder?: string
  file?: string
}

interface SavedArchive {
  path: string | null
  /** In bytes. */
  size: number
}

/** Downloads the archive. It has no hash and cannot be resumed, so a broken connection saves no file. */
export async function downloadArchive(
  server: Server,
  items: readonly FileItem[],
  { folder, file }: ArchiveTarget,
  progress: Progress,
): Promise<SavedArchive> {
  if (items.length === 0) throw new CommandError('notFound', 'There is nothing to put into the archive')
  if (items.length > maxBatchSize) {
    throw new CommandError(
      'usage',
      `An archive takes at most ${maxBatchSize} items at its top; name fewer, or a folder`,
    )
  }
  const path = file ?? (folder === undefined ? null : pathInside(folder, archiveName(items)))
  if (path !== null && file === undefined) await refuseLink(path)
  const transfer = progress.open(path ?? 'archive', undefined)
  let size = 0
  const content = readArchive(server, items, count => {
    size += count
    transfer.add(count)
  })
  transfer.begin()
  try {
    if (path === null) await sendData(content, server.signal)
    else await saveFile(path, { content, modifiedAt: undefined, signal: server.signal })
  } finally {
    transfer.end()
  }
  return { path, size }
}
