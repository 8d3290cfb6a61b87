/** Finds items on the server by what people type: `/Docs/a.pdf`, or `id:42`. */
import { posix } from 'node:path'
import { callByPath } from '../src/api/by-path.ts'
import { ApiError, type Call } from '../src/api/client.ts'
import { getFile } from '../src/api/files.ts'
import type { FileDetails } from '../src/api/items.ts'
import { CommandError } from '../terminal/exit.ts'

const idForm = /^id:([1-9]\d{0,15})$/

async function lookUp(call: Call, text: string): Promise<FileDetails> {
  const [, id] = idForm.exec(text) ?? []
  if (id !== undefined) return (await call(getFile, { id })).file
  return (await callByPath(call, posix.resolve('/', text).normalize('NFC'))).file
}

/** Returns the item at a path or id, or null for the root. Throws `notFound`, also for a file with a slash after it. */
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

/** Returns the id of a folder, null for the root. Throws `notFound` if nothing is there, or a file. */
async function findRemoteFolder(call: Call, text: string): Promise<number | null> {
  const item = await findRemote(call, text)
  if (item === null) return null
  if (!item.is_directory) throw new CommandError('notFound', `'${text}' is a file, not a folder`)
  return item.id
}

/** Returns the item at a path or id. Throws `notFound`, and `usage` for the root. */
export async function findRemoteItem(call: Call, text: string): Promise<FileDetails> {
  const item = await findRemote(call, text)
  if (item === null) throw new CommandError('usage', 'The root itself cannot be changed: name what is in it')
  return item
}

/** A folder (null: the root), and the name of a new item in it. */
interface NewPlace {
  parentId: number | null
  name: string
}

/**
 * Returns the place of a new item from its path, or from `id:42/name` below a folder's id. Throws `notFound` if the
 * folder does not exist, and `usage` if the text is no such path.
 */
export async function findNewPlace(call: Call, text: string): Promise<NewPlace> {
  const path = /^id:\d+\//.test(text) ? text : posix.resolve('/', text)
  const name = posix.basename(path)
  if (text === '' || name === '' || idForm.test(text)) {
    throw new CommandError('usage', `'${text}' is no path for something new`)
  }
  return { parentId: await findRemoteFolder(call, posix.dirname(path)), name }
}

/** Where items are moved or copied to. Without a name they keep their own. */
export interface Target {
  parentId: number | null
  name?: string
}

/**
 * Finds the target: an existing folder, otherwise the new path of a single item. Throws `conflict` if a file is at the
 * path, and `notFound` if several items, or a path that ends in a slash, have no folder to go to.
 */
export async function findTarget(call: Call, text: string, several: boolean): Promise<Target> {
  if (several || text.endsWith('/') || idForm.test(text)) return { parentId: await findRemoteFolder(call, text) }
  const item = await findRemote(call, text).catch(error => {
    if (error instanceof CommandError && error.exit === 'notFound') return undefined
    throw error
  })
  if (item === undefined) return findNewPlace(call, text)
  if (item !== null && !item.is_directory) throw new CommandError('conflict', `There is a file at '${text}' already`)
  return { parentId: item?.id ?? null }
}
