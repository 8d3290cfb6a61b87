/** The rules for files and folders. */
import { validationStatus } from '../../api/items.ts'
import { maxCommentLength } from '../../api/limits.ts'
import { nameProblem, usableName } from '../../api/names.ts'
import { fold, maxSortKeyLength } from '../../db/fold.ts'
import type { Row } from '../../db/tables.ts'
import { nameColumns } from '../../files/item-name.ts'
import {
  count,
  derived,
  either,
  flag,
  maybe,
  maybeTime,
  oneOf,
  type Rule,
  type TableRules,
  time,
  toldElsewhere,
} from './column-rules.ts'
import { block, couldBeKey } from './text-rules.ts'

/** Whether the other columns say folder (1) or file (0, with type and content); null when they contradict. */
function looksLike({ blob_id, mime_type }: Row): 0 | 1 | null {
  if (blob_id === null && mime_type === null) return 1
  return blob_id === null || mime_type === null ? null : 0
}
/** Once is_directory is corrected, the other columns are checked against it. */
const contradicts = (row: Row): boolean => looksLike(row) !== null && looksLike(row) !== row.is_directory
const isFolder = (row: Row): boolean => row.is_directory === 1 && !contradicts(row)

const columnsOf = (row: Row) => nameColumns(String(row.name), row.is_directory === 1)
const isMimeType = (value: Row[string] | undefined): boolean => value === null || /^[!-~]{3,255}$/.test(String(value))
const mimeType = derived('mime_type', row => columnsOf(row).mime_type, isMimeType)
/** Bytes, as migrations/0025-file-search.ts makes the column. */
const maxFoldedName = 2805
const nameFolded = derived('name_folded', row => fold(String(row.name)), couldBeKey(maxFoldedName))
/** Signs become the bytes from 0x0E on (db/fold.ts). */
const isSortKey = (value: Row[string] | undefined): boolean =>
  typeof value === 'string' &&
  value.length <= 2 * maxSortKeyLength &&
  value.isWellFormed() &&
  ![...value].some(sign => sign < '\u000e')
const itemName: Rule = {
  detail: 'its name can be none: empty, too long, . or .., or with / or a control character in it',
  fits: value => typeof value === 'string' && nameProblem(value) === null,
  mend: row => nameColumns(usableName(String(row.name)), row.is_directory === 1),
}

/** Only files wait for approval. */
const folderStatus = oneOf('validation_status', ['approved'], () => ({ validation_status: 'approved' }))
/** An invalid status is reset to pending, because the file may have been held back. */
const fileStatus = oneOf('validation_status', validationStatus.options, () => ({ validation_status: 'pending' }))

export const fileRules: TableRules = {
  columns: {
    ...{ id: 'told', space_id: 'told', owner_id: 'told', parent_id: 'told', validated_by: 'told' },
    trash_root_id: 'told',
    name: toldElsewhere(itemName),
    name_folded: toldElsewhere(nameFolded),
    sort_key: toldElsewhere(derived('sort_key', row => columnsOf(row).sort_key, isSortKey)),
    validation_comment: maybe(block('validation_comment', maxCommentLength)),
    is_directory: {
      detail: 'it is no file where it says so, or no folder',
      fits: (value, row) => (value === 0 || value === 1) && !contradicts(row),
      mend: row => ({ is_directory: looksLike(row) ?? (row.blob_id === null ? 1 : 0) }),
    },
    size: {
      detail: 'it is a folder, and has a size',
      fits: (value, row) => !isFolder(row) || value === 0,
      mend: () => ({ size: 0 }),
    },
    mime_type: { ...mimeType, fits: (value, row) => contradicts(row) || mimeType.fits(value, row) },
    blob_id: {
      detail: 'it is a folder, and has content',
      fits: (value, row) => !isFolder(row) || value === null,
      mend: () => ({ blob_id: null }),
    },
    // A file that may be another's is shown to reviewers alone while it is held.
    received_by: maybe(count('received_by', () => -1, -1)),
    content_by: { ...maybe(count('content_by', () => null, 1)), mend: () => ({ content_by: null, received_by: -1 }) },
    is_favorite: flag('is_favorite', () => 0),
    validation_status: either(
      row => (isFolder(row) ? folderStatus : fileStatus),
      'its validation_status is none that it can have',
    ),
    validated_at: maybeTime('validated_at'),
    modified_at: maybeTime('modified_at'),
    // A trashed item stays in the trash, and its retention starts again.
    deleted_at: maybe(time('deleted_at')),
    created_at: time('created_at'),
    updated_at: time('updated_at'),
  },
}
