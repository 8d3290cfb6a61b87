/** Finds items on the server as people name them: `/Docs/a.pdf`, or `id:42`. */
import { posix } from 'node:path'
import { ApiError, type Call } from '../src/api/client.ts'
import { getFile, getFileByPath } from '../src/api/files.ts'
import type { FileDetails } from '../src/api/items.ts'
import { CommandError } from './exit.ts'

const idForm = /^id:([1-9]\d{0,15})$/

async function lookUp(call: Call, text: string): Promise<FileDetails> {
  const [, id] = idForm.exec(text) ?? []
  if (id !== undefined) return (await call(getFile, { id })).file
  return (await call(getFileByPath, { path: posix.resolve('/', text).normalize('NFC') })).file
}

/** The item at a path or id, or null for the root. Throws `notFound`, also for a file with a slash behind it. */
export async function findRemote(call: Call, text: string): Promise<FileDetails | null> {
  if (text === '') throw new CommandError('usage', "An empty path names nothing; the root is '/'")
  if (!idForm.test(text) && posix.resolve('/', text) === '/') return null
  try {
    const item = await lookUp(call, text)
    if (item.is_directory || !text.endsWith('/')) return item
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
    throw new CommandError('notFound', `There is no '${text}' on the server`, { cause: error })
  }
  throw new CommandError('notFound', `'${text}' is a file, not a folder`)
}

/** The id of a folder, null for the root. Throws `notFound` when there is none, or a file. */
export async function findRemoteFolder(call: Call, text: string): Promise<number | null> {
  const item = await findRemote(call, text)
  if (item === null) return null
  if (!item.is_directory) throw new CommandError('notFound', `'${text}' is a file, not a folder`)
  return item.id
}
