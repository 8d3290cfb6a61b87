/** Reads a response as text, up to the largest size that the API can return, and for a limited time. */
import type { Dispatcher } from 'undici'
import { maxCommentLength, maxNameBytes, maxPageBytes, wholeListSize } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'

/** Bytes of a list entry apart from its path and tags: the longest name and comment, and everything else. */
const maxEntryBytes = 2 * maxNameBytes + 4 * maxCommentLength + 1000
/** Bytes of the largest response, which is the list of a whole folder: 74 MB. */
const maxAnswerBytes = maxPageBytes + wholeListSize * maxEntryBytes

/**
 * Minutes for a whole answer, as many as undici waits for its next bytes. That wait begins anew with each byte, so that
 * one byte a second would keep a command for years.
 */
const mostMinutes = 5

/**
 * Reads the whole body. Throws `unexpected` as soon as it is larger than any response of the API, and `unreachable` when
 * it takes too long.
 */
export async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  let left = maxAnswerBytes
  const end = performance.now() + mostMinutes * 60_000
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    left -= chunk.length
    if (left < 0) throw new CommandError('unexpected', "The server's answer is too large")
    if (performance.now() > end) {
      throw new CommandError('unreachable', `The server's answer did not end within ${mostMinutes} minutes`)
    }
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
