/** What downloads read: the files of the signed-in user, or those of a link. */
import { type Call, requestOf } from '../src/api/client.ts'
import { downloadFile } from '../src/api/content.ts'
import { getFile } from '../src/api/files.ts'
import { downloadLinkFile, listLinkFiles } from '../src/api/visits.ts'
import { readRefusal, sendRequest } from './client.ts'
import { readFolder, readPages } from './pages.ts'
import { hashInTag } from './read-remote.ts'
import type { RemoteItem } from './remote-item.ts'
import { withRetries } from './retry.ts'
import type { Visit } from './visit.ts'

export interface RemoteFiles {
  /** Yields every entry of a folder, folders first; null is the root. */
  readFolder(id: number | null): AsyncIterable<RemoteItem>
  /** Returns the SHA-256 of a file, in hex; undefined or null if there is none. */
  readHash(id: number): Promise<string | null | undefined>
  /** Returns the path of a file's bytes, relative to the API's base. */
  bytesPath(id: number): string
}

export const filesOf = (call: Call): RemoteFiles => ({
  readFolder: id => readFolder(call, id),
  readHash: async id => (await call(getFile, { id })).file.sha256,
  bytesPath: id => requestOf(downloadFile, { id }).url,
})

/** Reads the hash from the headers alone, which counts as no download. */
async function readLinkHash({ server }: Pick<Visit, 'server'>, path: string): Promise<string | undefined> {
  const response = await sendRequest(server, { method: 'HEAD', path, headers: { 'accept-encoding': 'identity' } })
  if (response.statusCode !== 200) await readRefusal(server, response)
  await response.body.dump()
  return hashInTag(response)
}

export function filesOfLink({ server, call, token }: Omit<Visit, 'info'>): RemoteFiles {
  const bytesPath = (id: number) => requestOf(downloadLinkFile, { token, id }).url
  return {
    bytesPath,
    readFolder: id =>
      readPages(async cursor => {
        const page = await call(listLinkFiles, { token, parent_id: id, cursor })
        return { files: [...page.folders, ...page.files], next_cursor: page.next_cursor }
      }),
    readHash: id => withRetries(() => readLinkHash({ server }, bytesPath(id)), server.signal, true),
  }
}
