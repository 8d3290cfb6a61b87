/** The folder tree's rows: asks for the folders of each that is open, and opens the way to the folder on screen. */
import { useQueries } from '@tanstack/react-query'
import { useMatchRoute } from '@tanstack/react-router'
import { useEffect } from 'react'
import { subfoldersOf, subfoldersQuery } from '../../../lib/data/subfolders.ts'
import { type FolderId, openInTree, useOpenFolders } from './open-folders.ts'
import { openedIn, rowsOf, type TreeRow } from './tree-rows.ts'

interface Tree {
  rows: TreeRow[]
  /** The folder on screen; undefined where none is, as beside a search. */
  currentId: FolderId | undefined
  isEmpty: boolean
}

/** The folder that the address names. */
function useCurrentFolder(): FolderId | undefined {
  const match = useMatchRoute()({ to: '/files/{-$folderId}' })
  if (match === false) return undefined
  return match.folderId === undefined ? null : Number(match.folderId)
}

export function useTree(): Tree {
  const open = useOpenFolders(({ ids }) => ids)
  const currentId = useCurrentFolder()
  const inView = openedIn(rowsOf({ open, subfoldersOf, hasFailed: () => false }))
  // The folder on screen is asked for as well: its answer tells the way to it.
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

/** Opens the folders around the one on screen when one comes to it; what is closed afterwards stays closed. */
function useOpenWay(currentId: FolderId | undefined, way: readonly number[] | undefined): void {
  const key = way?.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same way in a new list is no other
  useEffect(() => {
    if (way !== undefined && way.length > 0) openInTree([null, ...way])
  }, [currentId, key])
}
