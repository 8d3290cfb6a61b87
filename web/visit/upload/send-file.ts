/** Sends one file: a large one in pieces, where the server takes it so. */
import { readAnswer, requestOf } from '../../../src/api/client.ts'
import { resumableFrom } from '../../../src/api/limits.ts'
import type { MetadataValue } from '../../../src/api/metadata-values.ts'
import { uploadToLink } from '../../../src/api/visits.ts'
import { isUnreached, waitOf } from '../../lib/uploads/failures.ts'
import { timeOf } from '../../lib/uploads/upload-form.ts'
import { token } from '../link-calls.ts'
import { LineBreak, sendRequest } from './request.ts'
import { sendInPieces } from './send-pieces.ts'

/** What is sent along with each file. */
export interface Accompaniment {
  /** Null where the link does not ask for it. */
  sender: string | null
  metadata: readonly MetadataValue[]
}

/** Text fields come before the file, so that the server can refuse the upload before it reads the bytes. */
function formOf(file: File, { sender, metadata }: Accompaniment): FormData {
  const form = new FormData()
  form.append('name', file.name)
  if (sender !== null) form.append('sender', sender)
  const time = timeOf(file)
  if (time !== null) form.append('modified_at', time)
  if (metadata.length > 0) form.append('metadata', JSON.stringify(metadata))
  // The server uses the field `name`. A part's filename is escaped, and parsers read the escapes differently.
  form.append('file', file, 'file')
  return form
}

async function sendWhole(file: File, along: Accompaniment, onProgress: (sent: number) => void): Promise<void> {
  const { method, url: path } = requestOf(uploadToLink, { token })
  const onSent = (bytes: number) => onProgress(Math.min(bytes, file.size))
  const answer = await sendRequest(file, { method, path, body: formOf(file, along), onSent })
  try {
    readAnswer(answer)
  } catch (error) {
    throw isUnreached(error) && waitOf(error) === undefined ? new LineBreak(answer.isSent) : error
  }
}

/** Rejects with an error whose message is shown beside the file; `LineBreak` if it can be sent again by itself. */
export async function sendFile(file: File, along: Accompaniment, onProgress: (sent: number) => void): Promise<void> {
  const { sender, metadata } = along
  const target = {
    name: file.name,
    sender: sender ?? undefined,
    modified_at: timeOf(file) ?? undefined,
    metadata: metadata.length === 0 ? undefined : [...metadata],
  }
  const isDone = file.size >= resumableFrom && (await sendInPieces(file, target, onProgress))
  if (!isDone) await sendWhole(file, along, onProgress)
}
