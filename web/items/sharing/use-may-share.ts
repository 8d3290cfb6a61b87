/** Which items the user may give others access to: their own, and those of the team folders that they manage. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { spacesQuery } from '../../lib/data/spaces.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { useMay } from '../../lib/server/permissions.ts'

/** Items of lists do not say whether they may be shared; where they lie does. `items` is the list. */
export function useMayShare(items: readonly FileItem[]): (item: FileItem) => boolean {
  const mayShare = useMay('files:share')
  const userId = useAuth(({ user }) => user?.id)
  const hasTeam = useMemo(() => items.some(({ place }) => place?.kind === 'team'), [items])
  const { data: spaces } = useQuery({ ...spacesQuery, enabled: mayShare && hasTeam })
  return useMemo(() => {
    const managed = new Set(spaces?.filter(({ level }) => level === 'manage').map(({ folder_id }) => folder_id))
    const isManaged = ({ place, owner_id }: FileItem) =>
      place === null ? owner_id === userId : place.kind === 'team' && managed.has(place.id)
    return item => mayShare && isManaged(item)
  }, [mayShare, userId, spaces])
}
