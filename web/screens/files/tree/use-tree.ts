/** The folder tree's rows: loads the children of each expanded folder, and expands the path to the folder on screen. */
import { useQueries } from '@tanstack/react-query'
import { useMatchRoute } from '@tanstack/react-router'
import { useEffect } from 'react'
import { subfoldersOf, subfoldersQuery } from '../../../lib/data/subfolders.ts'
import { type FolderId, openInTree, useOpenFolders } from './open-folders.ts'
import { openedIn, rowsOf, type TreeRow } from './tree-rows.ts'

interface Tree {
  rows: TreeRow[]
  /** The folder on screen; undefined when there is none, for example during a search. */
  currentId: FolderId | undefined
  isEmpty: boolean
}

/** The folder in the address. */
function useCurrentFolder(): FolderId | undefined {
  const match = useMatchRoute()({ to: '/files/{-$folderId}' })
  if (match === false) return undefined
  return match.folderId === undefined ? null : Number(match.folderId)
}

export function useTree(): Tree {
  const open = useOpenFolders(({ ids }) => ids)
  const currentId = useCurrentFolder()
  const inView = openedIn(rowsOf({ open, subfoldersOf, hasFailed: () => false }))
  // Request the folder on screen as well: its answer contains its path.
  const asked = currentId === undefined || inView.includes(currentId) ? inView : [...inView, currentId]
  const answers = useQueries({ queries: asked.map(subfoldersQuery) })
  const answerOf = (id: FolderId) => answers[asked.indexOf(id)]

  const hasFailed = (id: FolderId) => answerOf(id)?.isError === true && answerOf(id)?.isFetching === false

  const trail = currentId === undefined ? undefined : answerOf(currentId)?.data?.trail
  const way = trail?.slice(0, -1).map(({ id }) => id)
  useOpenWay(currentId, way)

  const rows = rowsOf({ open, subfoldersOf: id => answerOf(id)?.data, hasFailed })
  return { rows, currentId, isEmpty: answerOf(null)?.data?.total === 0 }
}

/** Expands the parents of the folder on screen when it changes; a folder collapsed afterwards stays collapsed. */
function useOpenWay(currentId: FolderId | undefined, way: readonly number[] | undefined): void {
  const key = way?.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same way in a new list is no other
  useEffect(() => {
    if (way !== undefined && way.length > 0) openInTree([null, ...way])
  }, [currentId, key])
}
