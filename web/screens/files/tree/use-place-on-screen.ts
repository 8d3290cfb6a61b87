/** The folder on screen, and the place that it is in. */
import { useQuery } from '@tanstack/react-query'
import { useMatchRoute } from '@tanstack/react-router'
import { useState } from 'react'
import type { Place } from '../../../../src/api/items.ts'
import { subfoldersQuery } from '../../../lib/data/subfolders.ts'
import type { FolderId } from './open-folders.ts'

/** The folder in the address; undefined when there is none, for example during a search. */
export function useCurrentFolder(): FolderId | undefined {
  const match = useMatchRoute()({ to: '/files/{-$folderId}' })
  if (match === false) return undefined
  return match.folderId === undefined ? null : Number(match.folderId)
}

/** Null for the own tree. Until the folder on screen has loaded, the place of the last one stays. */
export function usePlaceOnScreen(): Place | null {
  const id = useCurrentFolder()
  const { data } = useQuery({ ...subfoldersQuery(id ?? null), enabled: id !== undefined })
  const [place, setPlace] = useState<Place | null>(null)
  const now = data?.folder?.place ?? null
  if (id !== undefined && data !== undefined && now?.id !== place?.id) setPlace(now)
  return place
}
