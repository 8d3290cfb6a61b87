/** Reads a response as text, up to the largest size that the API can return. */
import type { Dispatcher } from 'undici'
import { maxCommentLength, maxNameBytes, maxPageBytes, wholeListSize } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'

/** Bytes of a list entry apart from its path and tags: the longest name and comment, and everything else. */
const maxEntryBytes = 2 * maxNameBytes + 4 * maxCommentLength + 1000
/** Bytes of the largest response, which is the list of a whole folder: 74 MB. */
const maxAnswerBytes = maxPageBytes + wholeListSize * maxEntryBytes

/** Reads the whole body. Throws `unexpected` as soon as it is larger than any response of the API. */
export async function readText(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Uint8Array[] = []
  let left = maxAnswerBytes
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    left -= chunk.length
    if (left < 0) throw new CommandError('unexpected', "The server's answer is too large")
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}
