/** Finds the item that already has an upload's name. */
import type { Call } from '../../../src/api/client.ts'
import { getFileByPath } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { makeFolder } from './target-folder.ts'
import type { Upload } from './upload.ts'

/** The item of that name in the upload's folder. Rejects when there is none, or it cannot be loaded. */
export async function findNamesake(call: Call, { name, target }: Upload): Promise<FileItem> {
  const folderId = await makeFolder(call, target)
  return (await call(getFileByPath, { path: `/${name.normalize('NFC')}`, in: folderId })).file
}
