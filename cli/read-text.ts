/** Reads an answer as text, as far as an answer of the API can go. */
import type { Dispatcher } from 'undici'
import { maxCommentLength, maxNameBytes, maxPageBytes, wholeListSize } from '../src/api/limits.ts'
import { CommandError } from '../terminal/exit.ts'

/** Bytes that an entry of a list takes beside its path and tags: name and comment at their longest, and all else. */
const maxEntryBytes = 2 * maxNameBytes + 4 * maxCommentLength + 1000
/** Bytes of the largest answer, which is the list of a whole folder: 72 MB. */
const maxAnswerBytes = maxPageBytes + wholeListSize * maxEntryBytes

/** The whole body. Throws `unexpected` for one that is larger than any of the API, having taken no more of it. */
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
