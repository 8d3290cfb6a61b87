/** Uploads one file's bytes to the server. */
import { open, readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { errors } from 'undici'
import type * as z from 'zod/mini'
import { ApiError } from '../src/api/client.ts'
import type { Endpoint } from '../src/api/endpoint.ts'
import type { ConflictRule } from '../src/api/files.ts'
import { uploadFile } from '../src/api/files.ts'
import type { FileDetails } from '../src/api/items.ts'
import type { MetadataValue } from '../src/api/metadata-values.ts'
import { reachPath } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import type { Transfer } from '../terminal/progress.ts'
import { readData, type Server, sendRequest } from './client.ts'
import { createMultipart } from './multipart.ts'
import { mayHaveArrived, withRetries } from './retry.ts'

/** Bytes per read; large reads mean fewer, larger writes to the socket. */
const readSize = 256 * 1024

export interface Source {
  /** The name that people see. */
  label: string
  /** In bytes; undefined for a stream, which can be read only once. */
  size: number | undefined
  modifiedAt: Date | undefined
  /** Reads from a byte up to, but without, another; a stream only from its beginning to its end. */
  open: (from?: number, to?: number) => Readable
  /** Reads all bytes, which may be more or fewer than `size` by then; undefined for a stream. */
  read?: () => Promise<Buffer>
}

export interface Destination {
  name: string
  /** Null is the root. */
  parentId: number | null
  onConflict: ConflictRule
  metadata: readonly MetadataValue[]
}

/** How to find out whether an upload arrived whose answer was lost. */
interface Lookup {
  /** Whether the key may look; true if that is unknown. */
  mayLook: () => Promise<boolean>
  /**
   * Returns the uploaded file, or undefined if there is none. Makes one attempt, since the upload's retries are around
   * it.
   */
  findArrived: () => Promise<FileDetails | undefined>
  /** The failure of an earlier request with this file, if that may have arrived. */
  lost?: unknown
}

async function* readFileBytes(path: string, from: number, to: number): AsyncGenerator<Uint8Array> {
  if (from === to) return
  try {
    const handle = await open(reachPath(path))
    // Bytes that are appended meanwhile are left out, because the length was already announced.
    yield* handle.createReadStream({ start: from, end: to - 1, highWaterMark: readSize })
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError('unexpected', `Cannot read '${path}': ${reason}`, { cause: error })
  }
}

/** Creates the source of a regular file of the given size and time. */
export const fileSource = (path: string, size: number, modifiedAt: Date): Source => ({
  label: path,
  size,
  modifiedAt,
  open: (from = 0, to = size) => Readable.from(readFileBytes(path, from, to), { objectMode: false }),
  read: () => readFile(reachPath(path)),
})

export async function* counted(content: Readable, onBytes: (count: number) => void) {
  for await (const chunk of content) {
    yield chunk
    onBytes(chunk.length)
  }
}

function fieldsOf(source: Source, { name, parentId, onConflict, metadata }: Destination): Record<string, string> {
  return {
    // Sent for the root too, so that the server can check the name before the bytes.
    parent_id: parentId === null ? '' : String(parentId),
    name,
    on_conflict: onConflict,
    ...(metadata.length === 0 ? {} : { metadata: JSON.stringify(metadata) }),
    ...(source.modifiedAt === undefined ? {} : { modified_at: source.modifiedAt.toISOString() }),
  }
}

/** Where a file's form goes: a call, its path with the parameters in it, and the text fields. */
interface Form<Output extends z.ZodMiniType> {
  endpoint: Endpoint<z.ZodMiniType, Output>
  path: string
  fields: Readonly<Record<string, string>>
}

/** The error to show for a request's, which may have failed because the file is no longer as long as it was. */
export function explainShorter({ label }: Source, error: unknown): unknown {
  if (!(error instanceof errors.RequestContentLengthMismatchError)) return error
  return new CommandError('unexpected', `'${label}' became shorter while it was read; try again`, { cause: error })
}

/** Sends one source, without retries. Returns the answer. */
export async function sendSource<Output extends z.ZodMiniType>(
  server: Server,
  source: Source,
  { endpoint, path, fields }: Form<Output>,
  onBytes: (count: number) => void,
): Promise<z.output<Output>> {
  const content = source.open()
  const { headers, body } = createMultipart(fields, counted(content, onBytes), source.size)
  try {
    const response = await sendRequest(server, { method: 'POST', path, headers, body })
    return await readData(server, endpoint, response)
  } catch (error) {
    throw explainShorter(source, error)
  } finally {
    body.destroy()
    // The body may wait for bytes that never come; an open standard input would keep the process alive.
    content.destroy()
  }
}

/**
 * Uploads one source. Returns the uploaded file. If an answer is lost, `lookup` finds out whether the file arrived
 * before it is sent again. Only `replace` may be sent twice without that, and a stream never.
 */
export async function sendFile(
  server: Server,
  source: Source,
  destination: Destination,
  transfer: Transfer,
  { mayLook, findArrived, lost: earlier }: Lookup,
): Promise<FileDetails> {
  /** Whether sending the file twice may store it twice. */
  const mayDouble = destination.onConflict !== 'replace'
  let lost = mayDouble ? earlier : undefined
  const form = { endpoint: uploadFile, path: uploadFile.path, fields: fieldsOf(source, destination) }
  const send = async () => {
    const arrived =
      lost === undefined
        ? undefined
        : await findArrived().catch(error => {
            // Report the failed upload, not that the key may not look.
            throw error instanceof ApiError && error.code === 'forbidden' ? lost : error
          })
    if (arrived !== undefined) return arrived
    transfer.begin()
    try {
      return (await sendSource(server, source, form, transfer.add)).file
    } catch (error) {
      if (mayDouble && mayHaveArrived(error)) lost = error
      throw error
    }
  }
  try {
    if (source.size === undefined) return await send()
    return await withRetries(send, server.signal, mayDouble ? mayLook : true)
  } finally {
    transfer.end()
  }
}
