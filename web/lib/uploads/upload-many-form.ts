/** The request that uploads many small files, and its answer. */
import { ApiError, readAnswer, readRetryAfter } from '../../../src/api/client.ts'
import type { ConflictRule } from '../../../src/api/files.ts'
import type { MetadataValue } from '../../../src/api/metadata-values.ts'
import type { UploadResult } from '../../../src/api/upload-many.ts'
import { timeOf } from './upload-form.ts'

interface ManyFile {
  file: File
  /** The folder below the parent, such as `Photos/2026`; empty for the parent. */
  path: string
  rule: ConflictRule
  metadata: readonly MetadataValue[]
}

export interface UploadManyRequest {
  files: readonly ManyFile[]
  /** Null is the root. */
  parentId: number | null
  /** Called with the share of the body that was sent so far, from 0 to 1. */
  onProgress: (share: number) => void
  /** Called when the whole body has left the page. */
  onSent: () => void
  signal: AbortSignal
}

function itemOf({ file, path, rule, metadata }: ManyFile): string {
  const item = { name: file.name, path, on_conflict: rule, modified_at: timeOf(file) ?? undefined }
  return JSON.stringify(metadata.length === 0 ? item : { ...item, metadata })
}

/** Each file comes after the field `item` that describes it. */
export function formOfMany({ files, parentId }: UploadManyRequest): FormData {
  const form = new FormData()
  form.append('parent_id', parentId === null ? '' : String(parentId))
  for (const each of files) {
    form.append('item', itemOf(each))
    form.append('file', each.file, 'file')
  }
  return form
}

/** The results of an answer. Throws `ApiError` when there are none. */
export function readResults(status: number, text: string, retryAfter: string | null): readonly UploadResult[] {
  const answer = readAnswer<{ results?: UploadResult[] } | null>({
    status,
    text,
    retryAfter: readRetryAfter(retryAfter),
  })
  if (!Array.isArray(answer?.results)) throw new ApiError(status, 'Invalid response format')
  return answer.results
}
