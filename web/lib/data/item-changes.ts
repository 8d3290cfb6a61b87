/** The changes to items: moving, copying, trashing, restoring, deleting, favourites. */
import { copyFile, favoriteFile, moveFile } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { deleteFile, restoreFile, trashFile } from '../../../src/api/trash.ts'
import { call } from '../server/call.ts'
import { changeSlice, type Outcome, oneByOne } from './batch.ts'
import type { Change } from './change.ts'
import { type Edit, editLists, everywhere, without } from './list-edits.ts'
import { type Shown, showing } from './showing.ts'

type Items = readonly FileItem[]

/** Items of the first slice: of a change that takes milliseconds, and of one that walks through a folder's contents. */
export const manyAtFirst = 100
const fewAtFirst = 10

/** Removes items from every folder but the one that they are moved to. */
const leaving = (items: Items, to: number | null): Edit => {
  const remove = without(items)
  return entry => (entry.parent_id === to ? entry : remove(entry))
}

async function sendMove(slice: Items, to: number | null): Promise<Outcome> {
  const one = async (item: FileItem) => {
    await call(moveFile, { id: item.id, parent_id: to })
    return item
  }
  return changeSlice(slice, one, { action: 'move', parent_id: to })
}

/** Moves items into a folder; null is the root. `done` are the items as they were. */
export const moving = (to: number | null): Change<FileItem> => ({
  send: showing([{ lists: ['folder'], edit: slice => leaving(slice, to) }], slice => sendMove(slice, to)),
  first: manyAtFirst,
  lists: ['folder'],
  inHand: 'slice',
})

/** Moves items back to the folders that they were in. */
export const movingBack: Change<FileItem> = {
  send: async slice => {
    const outcome: Outcome = { done: [], failed: [] }
    for (const place of new Set(slice.map(({ parent_id }) => parent_id))) {
      const { done, failed } = await sendMove(
        slice.filter(({ parent_id }) => parent_id === place),
        place,
      )
      outcome.done.push(...done)
      outcome.failed.push(...failed)
    }
    return outcome
  },
  first: manyAtFirst,
}

/** The copies that moves into another space have made, by the id of the original. */
export type Copies = Map<number, number>

/**
 * Moves items into a folder of another place. If that is in another space, the server copies them there and puts the
 * originals into the trash; `copies` then gets what it made. `done` are the items as they were.
 */
export const movingAcross = (to: number | null, copies: Copies): Change<FileItem> => ({
  send: showing([{ lists: everywhere, edit: without }], slice =>
    oneByOne(slice, async item => {
      const { file } = await call(moveFile, { id: item.id, parent_id: to })
      if (file.id !== item.id) copies.set(item.id, file.id)
      return item
    }),
  ),
  first: 1,
  lists: everywhere,
  inHand: 'slice',
})

/** Takes such moves back: the copies go to the trash, and the originals come out of theirs. */
export const takingBack = (copies: Copies): Change<FileItem> => ({
  send: slice =>
    oneByOne(slice, async item => {
      const copy = copies.get(item.id)
      if (copy === undefined) await call(moveFile, { id: item.id, parent_id: item.parent_id })
      else {
        await call(restoreFile, { id: item.id })
        await call(trashFile, { id: copy })
      }
      return item
    }),
  first: 1,
})

export const trashing: Change<FileItem> = {
  send: showing([{ lists: everywhere, edit: without }], slice =>
    changeSlice(slice, async ({ id }) => (await call(trashFile, { id })).file, { action: 'trash' }),
  ),
  first: manyAtFirst,
  lists: everywhere,
  inHand: 'slice',
}

/** Restores items from the trash. `done` lists them as far as known: a single one has its new name and place. */
export const restoring: Change<FileItem> = {
  send: showing([{ lists: ['trash'], edit: without }], slice =>
    changeSlice(slice, async ({ id }) => (await call(restoreFile, { id })).file, { action: 'restore' }),
  ),
  first: manyAtFirst,
  lists: ['trash'],
  inHand: 'slice',
}

/** Deletes items from the trash permanently. They leave the list when they are gone; a large folder takes a while. */
export const deleting: Change<FileItem> = {
  send: async slice => {
    const one = async (item: FileItem) => {
      await call(deleteFile, { id: item.id })
      return item
    }
    const outcome = await changeSlice(slice, one, { action: 'delete' })
    editLists(['trash'], without(outcome.done))
    return outcome
  },
  first: fewAtFirst,
  lists: ['trash'],
  inHand: 'slice',
}

/** Makes items favourites, or no longer. */
export const favoring = (isFavorite: boolean): Change<FileItem> => {
  const mark = (slice: Items): Edit => {
    const ids = new Set(slice.map(({ id }) => id))
    return item => (ids.has(item.id) ? { ...item, is_favorite: isFavorite } : item)
  }
  const shown: Shown[] = [{ lists: everywhere, edit: mark }]
  if (!isFavorite) shown.push({ lists: ['favorites'], edit: without })
  return {
    send: showing(shown, slice =>
      changeSlice(slice, async ({ id }) => (await call(favoriteFile, { id, is_favorite: isFavorite })).file, {
        action: 'favorite',
        is_favorite: isFavorite,
      }),
    ),
    first: manyAtFirst,
    lists: shown.flatMap(({ lists }) => lists),
    inHand: 'act',
  }
}

/**
 * Copies items into a folder, folders with their contents; null is the root. `done` are the copies. They run one after
 * the other, since a large folder takes a while and each copy locks the space.
 */
export const copying = (to: number | null): Change<FileItem> => ({
  send: slice => oneByOne(slice, async ({ id }) => (await call(copyFile, { id, parent_id: to })).file),
  first: 1,
})
