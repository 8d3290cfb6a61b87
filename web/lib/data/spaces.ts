/** The team folders of the user. */
import { queryOptions } from '@tanstack/react-query'
import type { Place, PlaceAbilities } from '../../../src/api/items.ts'
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import { listSpaces, type Space } from '../../../src/api/spaces.ts'
import { call } from '../server/call.ts'

export const spacesQuery = queryOptions({
  queryKey: ['spaces'],
  queryFn: async () => (await call(listSpaces, {})).spaces,
  staleTime: 30_000,
})

/** The place that a team folder is. */
export const placeOfSpace = ({ folder_id, name }: Space): Place => ({ kind: 'team', id: folder_id, name, from: null })

const changes = (level: ShareLevel | null): boolean => level === 'edit' || level === 'manage'

/** What a member may do in the team folder itself. */
export const abilitiesIn = ({ level }: Space): PlaceAbilities => ({
  see: level !== null && level !== 'upload',
  add: level === 'upload' || changes(level),
  change: changes(level),
  organise: false,
  share: level === 'manage',
})
