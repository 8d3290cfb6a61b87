/** Reads a file's bytes from the server: continues after lost connections, and checks them against their SHA-256. */
import { createHash } from 'node:crypto'
import type { Dispatcher } from 'undici'
import { CommandError } from '../terminal/exit.ts'
import { readRefusal, type Server, sendRequest } from './client.ts'
import { explainNetworkError } from './network.ts'
import { labelOf, type RemoteItem } from './remote-item.ts'
import { waitForRetry } from './retry.ts'

/** The ETag is the hash. A proxy that compresses marks it weak, but the hash stays the same. */
const hashTag = /^(?:W\/)?"([0-9a-f]{64})"$/

/** Returns the hash that a response announces; undefined if there is none. */
export const hashInTag = ({ headers }: Dispatcher.ResponseData): string | undefined =>
  hashTag.exec(String(headers.etag))?.[1]

interface Position {
  /** The number of bytes yielded so far. */
  offset: number
  /** The hash that the server announced; undefined before the first response. */
  sha256: string | undefined
}

/** Requests the bytes from the position on, only if the content is still the same. */
async function requestBytes(server: Server, path: string, position: Position): Promise<Dispatcher.ResponseData> {
  const resume: Record<string, string> =
    position.offset === 0 ? {} : { range: `bytes=${position.offset}-`, 'if-range': `"${position.sha256}"` }
  const response = await sendRequest(server, {
    method: 'GET',
    path,
    headers: { 'accept-encoding': 'identity', ...resume },
  })
  if (response.statusCode !== 200 && response.statusCode !== 206) await readRefusal(server, response)
  return response
}

/** Returns the hash that a response announces. Throws if there is none, or if it differs from the one before. */
function checkPromise(label: string, response: Dispatcher.ResponseData, position: Position): string {
  const sha256 = hashInTag(response)
  if (position.offset > 0 && (response.statusCode !== 206 || sha256 !== position.sha256)) {
    throw new CommandError('unexpected', `'${label}' changed on the server while it was read; try again`)
  }
  if (sha256 === undefined) {
    throw new CommandError('unexpected', `'${label}' came without its SHA-256, so it cannot be checked`)
  }
  return sha256
}

/** The number of bytes that a response declares; 0 if it declares none. */
const lengthOf = ({ headers }: Dispatcher.ResponseData): number => Number(headers['content-length'] ?? 0)

/**
 * Throws if the file has more bytes than were listed: nobody agreed to download those, and they might never end. `bytes`
 * is the number that was sent or declared.
 */
function refuseLonger(item: RemoteItem, bytes: number): void {
  const { size } = item
  if (bytes <= size) return
  const advice = 'run the command again (in browse, R reads the list again)'
  const reason = `it is longer than the ${size} bytes listed; ${advice}`
  throw new CommandError('unexpected', `'${labelOf(item)}' has changed on the server: ${reason}`)
}

/**
 * Yields the bytes of a file in order, no more than the item's size. Throws after the last one if their hash differs from
 * the announced one, so keep the bytes only if the generator ends without a throw. `path` is that of the bytes, relative
 * to the API's base. `onBytes` gets the number of bytes
 * that the consumer took.
 */
export async function* readRemote(
  server: Server,
  item: RemoteItem,
  path: string,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  const label = labelOf(item)
  const hash = createHash('sha256')
  const position: Position = { offset: 0, sha256: undefined }
  for (let attempt = 1, complete = false; !complete; attempt += 1) {
    try {
      const response = await requestBytes(server, path, position)
      position.sha256 = checkPromise(label, response, position)
      const declared = position.offset + lengthOf(response)
      for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
        // Inside of the loop, because an error here also closes the connection.
        refuseLonger(item, Math.max(declared, position.offset + chunk.length))
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
