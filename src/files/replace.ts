/** Replaces the content of a file by its id, if it is still the content that the caller knows. */
import type { Actor } from '../access/actor.ts'
import { actorWrite } from '../access/actor-write.ts'
import type { ParsedInputOf } from '../api/endpoint.ts'
import type { replaceContent as endpoint } from '../api/files.ts'
import { AppError, notFound } from '../base/errors.ts'
import type { ReceivedBlob } from '../blobs/receive.ts'
import type { Database } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import { admitValues } from '../metadata/values.ts'
import { findItem } from './find.ts'
import type { DetailsRow } from './item-row.ts'
import { lockSpaceOf } from './lock-spaces.ts'
import { settleBytes } from './removals.ts'
import { admitContent, replaceContent, type UploadDeps } from './upload.ts'

type ReplaceInput = ParsedInputOf<typeof endpoint>

/** Whether an If-Match header names the content (RFC 9110 section 13.1.1, compared strongly). */
const names = (ifMatch: string, sha256: string | null): boolean =>
  ifMatch.trim() === '*' || ifMatch.split(',').some(tag => tag.trim() === `"${sha256}"`)

/** Throws `precondition_failed` unless there is a file, and an If-Match header names its content. */
export function refuseOtherContent(ifMatch: string, file: Pick<DetailsRow, 'sha256'> | undefined): void {
  if (file !== undefined && names(ifMatch, file.sha256)) return
  throw new AppError('precondition_failed', 'If-Match does not name the content of this file')
}

/**
 * The file whose content is to be replaced. Throws `not_found`, also for a folder, `forbidden`, and `precondition_failed`
 * unless `ifMatch` names its content.
 */
export async function findReplaceable(
  db: Database,
  actor: Actor,
  id: number,
  ifMatch: string | null,
): Promise<DetailsRow> {
  const file = await findItem(db, actor, id, 'replace')
  if (file.is_directory === 1) throw notFound('File')
  refuseOtherContent(ifMatch ?? '', file)
  return file
}

/** Replaces the content. Throws as `findReplaceable` and `uploadFile`; the caller must then remove the bytes. */
export async function replaceFile(
  deps: Pick<Deps, UploadDeps>,
  actor: Actor,
  input: ReplaceInput,
  ifMatch: string | null,
  blob: ReceivedBlob,
): Promise<void> {
  const { db } = deps
  await admitValues(deps, actor.userId, input.metadata ?? [])
  await findReplaceable(db, actor, input.id, ifMatch)
  const stored = await actorWrite(db, actor, async record => {
    await lockSpaceOf(db, actor, input.id)
    const file = await findReplaceable(db, actor, input.id, ifMatch)
    const content = await admitContent(db, actor, input, blob, file)
    const done = await replaceContent(db, actor, file, content)
    record('file.replace', { id: file.id, spaceId: file.space_id }, { name: file.name, size: blob.size })
    return done
  })
  await settleBytes(deps.removals, stored)
}
