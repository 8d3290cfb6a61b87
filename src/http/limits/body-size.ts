/** How large the body of each call may be; a larger one is refused by its Content-Length, before it is read. */
import { findFileByPath, setFileMetadata } from '../../api/files.ts'
import { maxJsonBytes, maxLongJsonBytes, maxPublicBodyBytes } from '../../api/limits.ts'
import { createField, updateField } from '../../api/metadata.ts'
import { unlockLink } from '../../api/visits.ts'
import type { AnyEndpoint, Route } from '../../route.ts'

/** Calls that take a long path, or hundreds of texts. As JSON each character of them may take six bytes. */
const long: readonly AnyEndpoint[] = [findFileByPath, setFileMetadata, createField, updateField]

/** The bytes that the body of a call may have. */
export function maxBodyBytes({ kind, endpoint }: Route): number {
  if (kind === 'public' || endpoint === unlockLink) return maxPublicBodyBytes
  return long.includes(endpoint) ? maxLongJsonBytes : maxJsonBytes
}
