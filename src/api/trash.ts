/** Calls for the trash: moving items there and back, listing it, deleting for good. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { cursor, id, limit, onlyId, textId, wholeNumber } from './fields.ts'
import { itemAnswer, itemList } from './items.ts'

export const trashFile = endpoint('PUT', '/files/:id/trash', onlyId).returns(
  itemAnswer,
  about('Move an item to the trash'),
)
export const restoreFile = endpoint('PUT', '/files/:id/restore', onlyId).returns(
  itemAnswer,
  about('Restore an item from the trash', { errors: ['not_trashed'] }),
)
/** Permanently deletes an item that the trash lists; answers once its last row is gone. */
export const deleteFile = endpoint('DELETE', '/files/:id/permanent', onlyId).returns(
  z.null(),
  about('Delete an item of the trash for good', { errors: ['not_trashed'] }),
)
export const listTrash = endpoint(
  'GET',
  '/files/trash',
  z.strictObject({ folder_id: z.optional(textId), limit, cursor }),
).returns(
  itemList,
  about('List the trash', {
    remark: 'With `folder_id` that of a team folder, for those who may change what is in it.',
  }),
)

/** `deleted` is the number of items listed in the trash that were deleted. */
export const emptyTrash = endpoint(
  'POST',
  '/files/trash/empty',
  z.strictObject({ folder_id: z.optional(id), older_than_days: z._default(wholeNumber, 0) }),
).returns(
  z.object({ deleted: z.int() }),
  about('Delete the items of the trash for good', {
    remark: 'Answers when the last item is deleted. With `folder_id` that of a team folder, for its managers.',
  }),
)
