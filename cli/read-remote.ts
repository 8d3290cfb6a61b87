/** Reads a file's bytes from the server: across lost connections, and checked against their SHA-256. */
import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { requestOf } from '../src/api/client.ts'
import { downloadFile } from '../src/api/files.ts'
import type { FileItem } from '../src/api/items.ts'
import { CommandError } from '../terminal/exit.ts'
import { readRefusal, type Server, sendRequest } from './client.ts'
import { explainNetworkError } from './network.ts'
import { waitForRetry } from './retry.ts'

/** A strong ETag is the hash; a proxy that compresses marks it weak, which leaves the hash what it was. */
const hashTag = /^(?:W\/)?"([0-9a-f]{64})"$/

interface Position {
  /** Bytes that have been handed on. */
  offset: number
  /** The hash that the server announced; undefined before the first answer. */
  sha256: string | undefined
}

/** Asks for the bytes from the position on, of that very content. */
async function requestBytes(server: Server, id: number, position: Position): Promise<Dispatcher.ResponseData> {
  const resume: Record<string, string> =
    position.offset === 0 ? {} : { range: `bytes=${position.offset}-`, 'if-range': `"${position.sha256}"` }
  const { url: path } = requestOf(downloadFile, { id })
  const response = await sendRequest(server, {
    method: downloadFile.method,
    path,
    headers: { 'accept-encoding': 'identity', ...resume },
  })
  if (response.statusCode !== 200 && response.statusCode !== 206) await readRefusal(server, response)
  return response
}

/** The hash that an answer promises. Throws when there is none, or another than before. */
function checkPromise(label: string, response: Dispatcher.ResponseData, position: Position): string {
  const [, sha256] = hashTag.exec(String(response.headers.etag)) ?? []
  if (position.offset > 0 && (response.statusCode !== 206 || sha256 !== position.sha256)) {
    throw new CommandError('unexpected', `'${label}' changed on the server while it was read; try again`)
  }
  if (sha256 === undefined) {
    throw new CommandError('unexpected', `'${label}' came without its SHA-256, so it cannot be checked`)
  }
  return sha256
}

/** An answer that does not say its length is as long as the file was when it was listed: it might never end. */
function refuseLonger({ path, size }: FileItem, response: Dispatcher.ResponseData, bytes: number): void {
  if (bytes <= size || response.headers['content-length'] !== undefined) return
  const cause = 'it may have changed on the server meanwhile; try again'
  throw new CommandError('unexpected', `'${path}' is longer than the ${size} bytes that the server told of: ${cause}`)
}

/**
 * Yields the bytes of a file in order, no more than are announced; after the last of them throws unless their hash is
 * the announced one. What was yielded is to be kept only when the end is reached without a throw. `onBytes` is told
 * of what was taken.
 */
export async function* readRemote(
  server: Server,
  item: FileItem,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  const { id, path: label } = item
  const hash = createHash('sha256')
  const position: Position = { offset: 0, sha256: undefined }
  for (let attempt = 1, complete = false; !complete; attempt += 1) {
    try {
      const response = await requestBytes(server, id, position)
      position.sha256 = checkPromise(label, response, position)
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        refuseLonger(item, response, position.offset + chunk.length)
        hash.update(chunk)
        position.offset += chunk.length
        attempt = 1
        yield chunk
        onBytes(chunk.length)
      }
      complete = true
    } catch (error) {
      server.signal.throwIfAborted()
      await waitForRetry(explainNetworkError(server.url, error), attempt, server.signal, true)
    }
  }
  if (hash.digest('hex') !== position.sha256) {
    throw new CommandError('unexpected', `'${label}' arrived damaged: its SHA-256 is not the server's; try again`)
  }
}
