/** The folder tree's rows: loads the children of each expanded folder, and expands the path to the folder on screen. */

import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { Place } from '../../../../src/api/items.ts'
import { abilitiesIn, placeOfSpace } from '../../../../src/api/rights.ts'
import { spacesQuery } from '../../../lib/data/spaces.ts'
import { type Subfolders, subfoldersOf, subfoldersQuery } from '../../../lib/data/subfolders.ts'
import { type FolderId, openInTree, useOpenFolders } from './open-folders.ts'
import { openedIn, rowsOf, type TreePlace, type TreeRow } from './tree-rows.ts'
import { useCurrentFolder, usePlaceOnScreen } from './use-place-on-screen.ts'

interface Tree {
  rows: TreeRow[]
  /** The folder on screen; undefined when there is none, for example during a search. */
  currentId: FolderId | undefined
}

/** The team folders and, while one is on screen, the share that it is in. */
function usePlaces(place: Place | null): TreePlace[] {
  const { data: spaces = [] } = useQuery(spacesQuery)
  const teams = spaces.map(space => ({ ...placeOfSpace(space), may: abilitiesIn(space) }))
  if (place === null || teams.some(({ id }) => id === place.id)) return teams
  return [...teams, { ...place, may: subfoldersOf(place.id)?.may ?? null }]
}

export function useTree(): Tree {
  const open = useOpenFolders(({ ids }) => ids)
  const currentId = useCurrentFolder()
  const places = usePlaces(usePlaceOnScreen())
  const inView = openedIn(rowsOf({ places, open, subfoldersOf, hasFailed: () => false }))
  // A root that has no folders counts as closed, and has to be known as such.
  const openRoots = [null, ...places.map(({ id }) => id)].filter(id => open.has(id))
  // Request the folder on screen as well: its answer contains its path.
  const asked = [...new Set([...openRoots, ...inView, ...(currentId === undefined ? [] : [currentId])])]
  const answers = useQueries({ queries: asked.map(subfoldersQuery) })
  const answerOf = (id: FolderId) => answers[asked.indexOf(id)]

  const hasFailed = (id: FolderId) => answerOf(id)?.isError === true && answerOf(id)?.isFetching === false

  const way = currentId === undefined ? undefined : wayTo(answerOf(currentId)?.data)
  useOpenWay(currentId, way)

  // Below the placeholders of the own folders the places would jump up once these have loaded.
  const isFirst = open.has(null) && subfoldersOf(null) === undefined && !hasFailed(null)
  const rows = rowsOf({ places: isFirst ? [] : places, open, subfoldersOf: id => answerOf(id)?.data, hasFailed })
  return { rows, currentId }
}

/** The folders around the folder on screen, from the root on; empty for a root itself. */
function wayTo(current: Subfolders | undefined): FolderId[] | undefined {
  if (current === undefined || current.trail.length === 0) return current && []
  return [current.folder?.place?.id ?? null, ...current.trail.slice(0, -1).map(({ id }) => id)]
}

/** Expands the parents of the folder on screen when it changes; a folder collapsed afterwards stays collapsed. */
function useOpenWay(currentId: FolderId | undefined, way: readonly FolderId[] | undefined): void {
  const key = way?.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same way in a new list is no other
  useEffect(() => {
    if (way !== undefined && way.length > 0) openInTree(way)
  }, [currentId, key])
}
