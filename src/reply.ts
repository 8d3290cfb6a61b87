/** What a route's function returns, which src/http writes as the answer. */
import type { Readable } from 'node:stream'
import type { FileBytes, StreamedBytes } from './blobs/file-bytes.ts'

interface JsonReply<Data> {
  kind: 'json'
  status: 200 | 201
  message: string
  data: Data
  etag?: string
}

/** The client's copy is still current. */
interface NotModified {
  kind: 'not-modified'
  etag: string
}

/** The answer is in its status and headers. */
interface EmptyReply {
  kind: 'empty'
  status: 200 | 201 | 204
  headers: Readonly<Record<string, string>>
}

interface BytesReply {
  kind: 'bytes'
  file: FileBytes
}

/** Plain JSON without the envelope. */
interface DocumentReply {
  kind: 'document'
  bytes: Buffer
  etag: string
}

interface StreamReply {
  kind: 'stream'
  file: StreamedBytes
}

/** Server-sent events, which go on until the client, the server or the end of the caller's access ends them. */
interface EventsReply {
  kind: 'events'
  open(): Promise<Readable>
}

export type Reply<Data> =
  | JsonReply<Data>
  | NotModified
  | EmptyReply
  | BytesReply
  | StreamReply
  | DocumentReply
  | EventsReply

export const ok = <Data>(data: Data, message = 'OK', etag?: string): JsonReply<Data> => ({
  kind: 'json',
  status: 200,
  message,
  data,
  etag,
})

export const created = <Data>(data: Data, message: string): JsonReply<Data> => ({
  kind: 'json',
  status: 201,
  message,
  data,
})

export const empty = (status: EmptyReply['status'], headers: EmptyReply['headers']): EmptyReply => ({
  kind: 'empty',
  status,
  headers,
})

export const sendFile = (file: FileBytes): BytesReply => ({ kind: 'bytes', file })

export const sendStream = (file: StreamedBytes): StreamReply => ({ kind: 'stream', file })

export const sendEvents = (open: EventsReply['open']): EventsReply => ({ kind: 'events', open })

export const sendDocument = (bytes: Buffer, etag: string): DocumentReply => ({ kind: 'document', bytes, etag })
