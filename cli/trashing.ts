/**
 * Changes that the server makes only once. If an answer is lost, the refusal of the repeated call counts as success.
 */
import type { Call } from '../src/api/client.ts'
import { getFile } from '../src/api/files.ts'
import type { FileDetails } from '../src/api/items.ts'
import { deleteFile, restoreFile, trashFile } from '../src/api/trash.ts'
import { unlessDone } from './client.ts'

/** Moves an item to the trash. Returns the item as it is there, or undefined if the first answer was lost. */
export const moveToTrash = async (call: Call, id: number): Promise<FileDetails | undefined> =>
  (await unlessDone(call(trashFile, { id }), 'not_found'))?.file

/** Permanently deletes an item in the trash. */
export async function deleteForGood(call: Call, id: number): Promise<void> {
  await unlessDone(call(deleteFile, { id }), 'not_found')
}

/** Restores an item from the trash. Returns the item at its new place. */
export const restoreItem = async (call: Call, id: number): Promise<FileDetails> =>
  ((await unlessDone(call(restoreFile, { id }), 'not_trashed')) ?? (await call(getFile, { id }))).file
