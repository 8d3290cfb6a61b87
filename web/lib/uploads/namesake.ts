/** Finds the item that already has an upload's name. */
import { callByPath } from '../../../src/api/by-path.ts'
import type { Call } from '../../../src/api/client.ts'
import { getFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { makeFolder } from './target-folder.ts'
import type { Upload } from './upload.ts'

/** The item of that name in the upload's folder. Rejects when there is none, or it cannot be loaded. */
export async function findNamesake(call: Call, { name, target }: Upload): Promise<FileItem> {
  const parentId = await makeFolder(call, target)
  const folder = parentId === null ? '' : (await call(getFile, { id: parentId })).file.path
  return (await callByPath(call, `${folder}/${name.normalize('NFC')}`)).file
}
