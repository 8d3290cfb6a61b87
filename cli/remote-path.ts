/** Finds items on the server by what people type: `/Docs/a.pdf`, `@Team/a.pdf`, `id:42`, `id:42/a.pdf`. */
import { posix } from 'node:path'
import { callByPath } from '../src/api/by-path.ts'
import { ApiError, type Call } from '../src/api/client.ts'
import { getFile } from '../src/api/files.ts'
import type { FileDetails } from '../src/api/items.ts'
import { CommandError } from '../terminal/exit.ts'
import { findPlace } from './places.ts'

const idForm = /^id:([1-9]\d{0,15})(?:\/(.*))?$/s
const placeForm = /^@([^/]*)(?:\/(.*))?$/s

/** Whether the text stands for all places. */
export const isAllPlaces = (text: string): boolean => text === '@' || text === '@/'

/** Where a path begins, and its way from there. */
interface Way {
  /** Null: the root of the own tree. */
  startId: number | null
  /** Absolute, and `/` for the start itself. */
  below: string
}

/** The parts of what a person types: the id or the place where it begins, and the absolute path from there. */
function readParts(text: string): { id?: string; place?: string; below: string } {
  const [, id, belowId = ''] = idForm.exec(text) ?? []
  const [, place, belowPlace = ''] = placeForm.exec(text) ?? []
  const below = posix.resolve('/', id === undefined && place === undefined ? text : `/${belowId}${belowPlace}`)
  return { id, place, below }
}

/** Reads a path. Throws `usage` for an empty one, and like `findPlace`. */
export async function readWay(call: Call, text: string): Promise<Way> {
  if (text === '') throw new CommandError('usage', "An empty path names nothing; the root is '/'")
  const { id, place, below } = readParts(text)
  if (place !== undefined) return { startId: (await findPlace(call, place)).id, below }
  return { startId: id === undefined ? null : Number(id), below }
}

/** Returns the name that a path gives to its item, in the server's form; undefined for an id and for the root. */
export function typedName(text: string): string | undefined {
  const { place, below } = readParts(text)
  const name = below === '/' && place !== undefined && !idForm.test(place) ? place : posix.basename(below)
  return name === '' ? undefined : name.normalize('NFC')
}

async function lookUp(call: Call, { startId, below }: Way): Promise<FileDetails | null> {
  if (below !== '/') return (await callByPath(call, below.normalize('NFC'), startId)).file
  return startId === null ? null : (await call(getFile, { id: startId })).file
}

/** Returns the item at a way, or null for the root. Throws `notFound`; `text` is what the person typed. */
async function findAt(call: Call, way: Way, text: string): Promise<FileDetails | null> {
  try {
    return await lookUp(call, way)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
    throw new CommandError('notFound', `There is no '${text}' on the server`, { cause: error })
  }
}

const isFile = (text: string): CommandError => new CommandError('notFound', `'${text}' is a file, not a folder`)

/** Returns the item at a path or id, or null for the root. Throws `notFound`, also for a file with a slash after it. */
export async function findRemote(call: Call, text: string): Promise<FileDetails | null> {
  const item = await findAt(call, await readWay(call, text), text)
  if (item?.is_directory === false && text.endsWith('/')) throw isFile(text)
  return item
}

/** Returns the folder at a path or id, or null for the root. Throws `notFound` if nothing is there, or a file. */
export async function findRemoteFolder(call: Call, text: string): Promise<FileDetails | null> {
  const item = await findRemote(call, text)
  if (item?.is_directory === false) throw isFile(text)
  return item
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
 * Returns the place of a new item from its path. Throws `notFound` if the folder does not exist, and `usage` if the text
 * is no such path.
 */
export async function findNewPlace(call: Call, text: string): Promise<NewPlace> {
  const { startId, below } = await readWay(call, text)
  const name = posix.basename(below)
  if (name === '') throw new CommandError('usage', `'${text}' is no path for something new`)
  const folder = await findAt(call, { startId, below: posix.dirname(below) }, posix.dirname(text))
  if (folder?.is_directory === false) throw isFile(posix.dirname(text))
  return { parentId: folder?.id ?? null, name }
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
  const way = await readWay(call, text)
  if (several || text.endsWith('/') || way.below === '/') {
    return { parentId: (await findRemoteFolder(call, text))?.id ?? null }
  }
  const item = await findAt(call, way, text).catch(error => {
    if (error instanceof CommandError && error.exit === 'notFound') return undefined
    throw error
  })
  if (item === undefined) return findNewPlace(call, text)
  if (item !== null && !item.is_directory) throw new CommandError('conflict', `There is a file at '${text}' already`)
  return { parentId: item?.id ?? null }
}
