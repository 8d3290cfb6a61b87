/** Changes that the server makes once: a repeated call whose first answer was lost counts as done. */
import type { Call } from '../src/api/client.ts'
import { deleteFile, getFile, restoreFile, trashFile } from '../src/api/files.ts'
import type { FileDetails } from '../src/api/items.ts'
import { unlessDone } from './client.ts'

/** Moves to the trash; answers the item as it is there, or nothing where only the repeated call was answered. */
export const moveToTrash = async (call: Call, id: number): Promise<FileDetails | undefined> =>
  (await unlessDone(call(trashFile, { id }), 'not_found'))?.file

/** Deletes for good what is in the trash. */
export async function deleteForGood(call: Call, id: number): Promise<void> {
  await unlessDone(call(deleteFile, { id }), 'not_found')
}

/** Brings back from the trash; answers the item where it stands then. */
export const restoreItem = async (call: Call, id: number): Promise<FileDetails> =>
  ((await unlessDone(call(restoreFile, { id }), 'not_trashed')) ?? (await call(getFile, { id }))).file
