/** Reads a part of a file as bytes, and detects its text encoding. */
import { ApiError, readAnswer } from '../../../src/api/client.ts'

interface FilePart {
  bytes: Uint8Array
  /** The size of the whole file in bytes. */
  total: number
  /** Identifies the content that the part belongs to. */
  etag: string | null
}

/** Reads at most `length` bytes from an offset. Throws ApiError for a refusal, and a TypeError without an answer. */
export async function readPart(url: string, offset: number, length: number, signal: AbortSignal): Promise<FilePart> {
  const headers = { Range: `bytes=${offset}-${offset + length - 1}` }
  const answer = await fetch(url, { headers, credentials: 'include', signal })
  const etag = answer.headers.get('ETag')
  // An empty file satisfies no range.
  if (answer.status === 416 && offset === 0) return { bytes: new Uint8Array(), total: 0, etag }
  if (!answer.ok) return readAnswer<FilePart>({ status: answer.status, text: await answer.text() })
  const [, total] = /\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '') ?? []
  if (answer.status !== 206 || total === undefined) throw new ApiError(answer.status, 'Invalid response format')
  return { bytes: new Uint8Array(await answer.arrayBuffer()), total: Number(total), etag }
}

const utf16 = { 'ff fe': 'utf-16le', 'fe ff': 'utf-16be' } as const

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // Decode as a stream: the part may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The decoder for a text that begins with these bytes: by its byte order mark, else UTF-8, else Windows-1252. */
export function decoderFor(start: Uint8Array): TextDecoder {
  const mark = [...start.subarray(0, 2)].map(byte => byte.toString(16).padStart(2, '0')).join(' ')
  const found = Object.entries(utf16).find(([bytes]) => bytes === mark)?.[1]
  return new TextDecoder(found ?? (isUtf8(start) ? 'utf-8' : 'windows-1252'))
}
