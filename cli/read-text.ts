/** Reads a response as text, up to the largest size that the API can return, and for a limited time. */
import type { Dispatcher } from 'undici'
import { maxCommentLength, maxNameBytes, maxPageBytes, wholeListSize } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'

/** Bytes of a list entry apart from its path and tags: the longest name and comment, and everything else. */
const maxEntryBytes = 2 * maxNameBytes + 4 * maxCommentLength + 1000
/** Bytes of the largest response, which is the list of a whole folder: 74 MB. */
const maxAnswerBytes = maxPageBytes + wholeListSize * maxEntryBytes

/**
 * Minutes for an answer, as many as undici waits for its next bytes. That wait begins anew with each byte, so that one byte
 * a second would keep a command for years.
 */
const mostMinutes = 5
/** Bytes a second that give an answer more time: the slowest line on which a long list may still arrive. */
const leastRate = 4096

/**
 * Reads the whole body. Throws `unexpected` as soon as it is larger than any response of the API, and `unreachable` when
 * it takes too long.
 */
export async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  let received = 0
  const start = performance.now()
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    received += chunk.length
    if (received > maxAnswerBytes) throw new CommandError('unexpected', "The server's answer is too large")
    const seconds = (performance.now() - start) / 1000
    if (seconds > mostMinutes * 60 + received / leastRate) {
      throw new CommandError(
        'unreachable',
        `The server's answer did not end within ${Math.floor(seconds / 60)} minutes`,
      )
    }
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
