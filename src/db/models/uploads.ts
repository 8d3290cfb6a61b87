/** uploads: files that come in several requests. */
import * as z from 'zod/mini'
import { conflictRules } from '../../api/files.ts'
import { metadataValues } from '../../api/metadata-values.ts'
import type { StoredForm } from '../stored-json.ts'
import { model } from './model.ts'

/**
 * `open`: bytes are missing, or it waits to be told to finish. `whole`: its bytes are there and become a file now.
 * `failed`: they could not; `error` says why. `done`: they are the content of `file_id`.
 */
export const uploadStates = ['open', 'whole', 'failed', 'done'] as const

export interface UploadRow {
  /** 32 random hex digits. */
  id: string
  /** Whose it is; null for a visitor's, which has a link instead. */
  user_id: number | null
  /** The link by which a visitor sends it. */
  link_id: number | null
  /** The visit of the visitor's browser (`link_visits.hash`); null without one, and for a user's. */
  visit_hash: string | null
  /** The network of the visitor's address. */
  network: string | null
  /** The key with which it was begun; null for a session, and for a visitor's. */
  key_id: number | null
  /** Whose storage its bytes are reserved in. */
  space_id: number
  /** The client's Upload-Metadata, as it was sent. */
  header: string | null
  /** Where the file is to go, as JSON: see `uploadTarget`. */
  target: string
  /** Bytes of the whole file. */
  length: number
  /** Bytes that are durable. */
  received: number
  /** Bytes of the space's `storage_reserved` that are this upload's. */
  reserved: number
  /** Where its bytes are; null once it is done. */
  blob_key: string | null
  /** What the store must know of them (`Appended.state`). */
  store_state: string | null
  state: (typeof uploadStates)[number]
  /** Why it could not become a file, as JSON: see `uploadError`. */
  error: string | null
  file_id: number | null
  /** The process that works on it, until `held_until`. */
  holder: string | null
  /** Grows whenever a process takes it or wants it. */
  epoch: number
  /** ms, by the database's clock. In the future also while a visitor sends it where there are no other processes. */
  held_until: number
  created_at: number
  expires_at: number
}

type Defaulted = 'received' | 'store_state' | 'error' | 'file_id' | 'holder' | 'epoch' | 'held_until'

export const uploads = model<UploadRow, Omit<UploadRow, Defaulted>>('uploads', {
  received: 0,
  epoch: 0,
  held_until: 0,
})

const target = z.object({
  /** Null: the root of the uploader's tree. */
  parent_id: z.nullable(z.int()),
  name: z.string(),
  /** A visitor's name for the file, where `name` has the sender's in front. */
  sent_name: z.optional(z.string()),
  on_conflict: z.optional(z.enum(conflictRules)),
  modified_at: z.optional(z.string()),
  metadata: z.optional(metadataValues),
  /** Of the whole file, hex. */
  sha256: z.optional(z.string()),
  /** Which content may be replaced, as in If-Match. */
  if_match: z.optional(z.string()),
  /** Whether the last byte does not finish the upload. */
  is_explicit: z.boolean(),
})
export type UploadTarget = z.output<typeof target>

/** The form of `target`. An upload without one is as good as gone. */
export const uploadTarget: StoredForm<UploadTarget | null> = { schema: z.nullable(target), otherwise: null }

/** The form of `error`. */
export const uploadError: StoredForm<{ code: string; message: string } | null> = {
  schema: z.nullable(z.object({ code: z.string(), message: z.string() })),
  otherwise: null,
}
