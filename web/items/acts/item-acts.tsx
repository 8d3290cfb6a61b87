/** The acts on items: what each changes, in which words it is reported, and which act takes it back. */

import type { ReactNode } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { isSamePlace } from '../../../src/api/places.ts'
import { isClosed } from '../../../src/api/rights.ts'
import {
  type Copies,
  copying,
  deleting,
  favoring,
  moving,
  movingAcross,
  movingBack,
  restoring,
  takingBack,
  trashing,
} from '../../lib/data/item-changes.ts'
import { renaming } from '../../lib/data/renaming.ts'
import { stepsFor, type TagStep, tagging } from '../../lib/data/tagging.ts'
import { ToastName } from '../actions/toast-name.tsx'
import type { Destination } from '../destination.ts'
import { locationOf } from '../place.ts'
import type { Act } from './perform.tsx'

type Items = readonly FileItem[]

const toFolder = (verb: string, { name }: Pick<Destination, 'name'>): ReactNode => (
  <>
    {verb} to <ToastName item={{ name, is_directory: true }} />
  </>
)

export const moveAct = (items: Items, to: Destination): Act =>
  items.every(({ place }) => isSamePlace(place, to.place)) ? moveWithin(items, to) : moveAcross(items, to)

const moveWithin = (items: Items, to: Destination): Act => ({
  items,
  change: moving(to.id),
  title: toFolder('Moving', to),
  what: () => toFolder('moved', to),
  failure: 'Move failed',
  undo: done => ({
    items: done,
    change: movingBack,
    title: 'Moving back',
    what: () => 'moved back',
    failure: 'Move failed',
  }),
})

/** Who may not change what is in the other place cannot take it back there. */
const mayTakeBack = ({ may }: Destination): boolean => may?.change ?? true

function moveAcross(items: Items, to: Destination): Act {
  const copies: Copies = new Map()
  const takeBack = (done: Items): Act => ({
    items: done,
    change: takingBack(copies),
    title: 'Moving back',
    what: () => 'moved back',
    failure: 'Move failed',
  })
  return {
    items,
    change: movingAcross(to.id, copies),
    title: toFolder('Moving', to),
    what: done => (
      <>
        {toFolder('moved', to)}
        {copies.size > 0 && `; the ${done.length === 1 ? 'original is' : 'originals are'} in the trash`}
      </>
    ),
    failure: 'Move failed',
    undo: mayTakeBack(to) ? takeBack : undefined,
  }
}

export const copyAct = (items: Items, to: Destination): Act => ({
  items,
  change: copying(to.id),
  title: toFolder('Copying', to),
  what: () => toFolder('copied', to),
  failure: 'Copy failed',
  undo: mayTakeBack(to) ? copies => plain(trashAct(copies)) : undefined,
})

/** Who takes back a hand-in cannot bring it back: the trash is that of the place. */
const mayRestore = (item: Items[number]): boolean => (item.may?.organise ?? true) || isClosed(item)

export const trashAct = (items: Items): Act => ({
  items,
  change: trashing,
  title: 'Moving to the trash',
  what: () => 'moved to the trash',
  failure: items.length === 1 ? 'Failed to move to trash' : 'Failed to move items to trash',
  undo: items.every(mayRestore) ? done => plain(restoreAct(done)) : undefined,
})

export const restoreAct = (items: Items): Act => ({
  items,
  change: restoring,
  title: 'Restoring',
  what: ([only, ...others]) =>
    only === undefined || others.length > 0 ? 'restored' : toFolder('restored', { name: locationOf(only) }),
  failure: 'Failed to restore item',
  undo: done => plain(trashAct(done)),
})

/** Has no Undo. */
export const deleteAct = (items: Items): Act => ({
  items,
  change: deleting,
  title: 'Deleting permanently',
  what: () => 'permanently deleted',
  failure: 'Failed to delete item',
})

/** Changes the items that are no favourites yet or, if all are, all. */
export function favoriteAct(items: Items): Act {
  const isFavorite = !items.every(item => item.is_favorite)
  const mark = (marked: Items, on: boolean): Act => ({
    items: marked,
    change: favoring(on),
    title: on ? 'Adding to favorites' : 'Removing from favorites',
    what: () => (on ? 'added to favorites' : 'removed from favorites'),
    failure: 'Failed to toggle favorite',
  })
  const marked = items.filter(item => item.is_favorite !== isFavorite)
  return { ...mark(marked, isFavorite), undo: done => mark(done, !isFavorite) }
}

/** Changes the files whose tags differ. */
export function tagAct(files: Items, steps: readonly TagStep[]): Act {
  const tag = (items: Items, isUndo: boolean): Act => ({
    items,
    change: tagging(steps, isUndo),
    title: 'Updating tags',
    what: ({ length }) => `given ${length === 1 ? 'its' : 'their'} ${isUndo ? 'old' : 'new'} tags`,
    failure: 'Failed to update tags',
  })
  const differing = files.filter(file => stepsFor(file, steps).length > 0)
  return { ...tag(differing, false), undo: done => tag(done, true) }
}

export function renameAct(item: FileItem, name: string): Act {
  const rename = (before: FileItem, to: string, verb: string): Act => ({
    items: [before],
    change: renaming(to),
    title: 'Renaming',
    what: () => (
      <>
        {verb} <ToastName item={{ ...item, name: to }} />
      </>
    ),
    failure: 'Rename failed',
  })
  return {
    ...rename(item, name, 'renamed to'),
    undo: () => rename({ ...item, name }, item.name, 'renamed back to'),
  }
}

/** An Undo cannot be undone. */
const plain = ({ undo: _, ...act }: Act): Act => act
