/**
 * The load during kills: each lane changes its own files, one change after the other, and remembers the answers. A
 * change that a kill cut off may or may not have happened; all others are known.
 */
import { createHash, randomBytes } from 'node:crypto'
import { createFolder, moveFile } from '../../src/api/files.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import type { TestClient } from '../support/client.ts'

/** Where a file is: in a folder (0 is the root), in the trash, or deleted permanently. */
export type Place = number | 'trash' | 'gone'

export interface KnownFile {
  name: string
  sha256: string
  place: Place
  /** The other possible state, after the answer to a change was lost. */
  orIn?: Place
}

export interface World {
  /** A number from 0 to 1, from the same sequence for the same seed. */
  random(): number
  /** Files by id, or by name when no id was received. */
  files: Map<number, KnownFile>
  unanswered: Map<string, KnownFile>
  folders: number[]
  /** Changes that were answered. */
  done: number
}

/** Pseudo-random numbers (mulberry32), so that the seed repeats a run. */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export const createWorld = (seed: number): World => ({
  random: randomFrom(seed),
  files: new Map(),
  unanswered: new Map(),
  folders: [],
  done: 0,
})

export async function addFolders(world: World, client: TestClient): Promise<void> {
  for (const name of ['a', 'b', 'c'])
    world.folders.push((await client.call(createFolder, { name, parent_id: null })).file.id)
}

const pick = <T>({ random }: World, list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]

/** Small contents go to the database, large ones to the store, and some occur twice. */
function contentOf({ random }: World): Buffer {
  const kind = random()
  if (kind < 0.1) return Buffer.alloc(50_000, Math.floor(random() * 4))
  return randomBytes(kind < 0.4 ? 1 + Math.floor(random() * 3000) : 40_000 + Math.floor(random() * 400_000))
}

async function upload(world: World, client: TestClient, lane: number): Promise<void> {
  const bytes = contentOf(world)
  const name = `${lane}-${randomBytes(8).toString('hex')}.bin`
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const place = pick(world, [0, ...world.folders]) ?? 0
  world.unanswered.set(name, { name, sha256, place: 'gone', orIn: place })
  const { id } = await client.upload(bytes, { name, parent_id: place === 0 ? null : place })
  world.unanswered.delete(name)
  world.files.set(id, { name, sha256, place })
}

async function change(world: World, client: TestClient, id: number, file: KnownFile): Promise<void> {
  const isLive = file.place !== 'trash'
  const toTrash = world.random() < 0.4
  const place = isLive ? (toTrash ? 'trash' : (pick(world, [0, ...world.folders]) ?? 0)) : 'gone'
  file.orIn = place
  if (place === 'gone') await client.call(deleteFile, { id })
  else if (place === 'trash') await client.call(trashFile, { id })
  else await client.call(moveFile, { id, parent_id: place === 0 ? null : place })
  file.place = place
  delete file.orIn
}

/** The lane's own files by id, those in the trash included. */
const filesOf = (world: World, lane: number): [number, KnownFile][] =>
  [...world.files].filter(([, { name, place }]) => name.startsWith(`${lane}-`) && place !== 'gone')

/** One of the lane's live files, if there is any. */
export const pickLive = (world: World, lane: number): [number, KnownFile] | undefined =>
  pick(
    world,
    filesOf(world, lane).filter(([, { place }]) => place !== 'trash'),
  )

/** Makes one change. Throws unless it succeeds. */
export async function makeChange(world: World, client: TestClient, lane: number): Promise<void> {
  const mine = filesOf(world, lane)
  const chosen = pick(world, mine)
  if (chosen === undefined || world.random() < (mine.length < 40 ? 0.5 : 0.2)) await upload(world, client, lane)
  else await change(world, client, ...chosen)
  world.done += 1
}

/** The errors of fetch for a broken connection, before and during the answer. */
const cutWords = ['fetch failed', 'terminated']

const isCut = (error: unknown): boolean => error instanceof TypeError && cutWords.includes(error.message)

/** Makes changes until the server is killed. Throws anything but a broken connection after the kill. */
export async function runLane(world: World, client: TestClient, lane: number, isKilled: () => boolean): Promise<void> {
  try {
    for (;;) await makeChange(world, client, lane)
  } catch (error) {
    if (!isKilled() || !isCut(error)) throw error
  }
}
