/** Finds what has the name that an upload asks for. */
import { getFile, getFileByPath } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { call } from '../call.ts'
import type { Upload } from './rows.ts'
import { makeFolder } from './target-folder.ts'

/** The item of that name in the upload's folder. Rejects where it cannot be found. */
export async function findNamesake({ name, target }: Upload): Promise<FileItem> {
  const parentId = await makeFolder(target)
  const folder = parentId === null ? '' : (await call(getFile, { id: parentId })).file.path
  return (await call(getFileByPath, { path: `${folder}/${name.normalize('NFC')}` })).file
}
