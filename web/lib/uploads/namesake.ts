/** Finds the item that already has an upload's name. */
import type { Call } from '../../../src/api/client.ts'
import { getFileByPath } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { makeFolder } from './target-folder.ts'
import type { Upload } from './upload.ts'
import { timeOf } from './upload-form.ts'

/** The item of that name in the upload's folder. Rejects when there is none, or it cannot be loaded. */
export async function findNamesake(call: Call, { name, target }: Upload): Promise<FileItem> {
  const folderId = await makeFolder(call, target)
  return (await call(getFileByPath, { path: `/${name.normalize('NFC')}`, in: folderId })).file
}

/** Whether an item has the size and the time of an upload's file, so that most likely it has the same bytes. */
export const isAlike = ({ file }: Upload, item: FileItem): boolean =>
  file !== null && item.size === file.size && item.modified_at !== null && item.modified_at === timeOf(file)
