/** Team folders, shares and places as rows of a list. */
import type { FileItem, Place } from '../../src/api/items.ts'
import { abilitiesOf, placeOfSpace } from '../../src/api/rights.ts'
import type { ShareLevel } from '../../src/api/share-levels.ts'
import type { ReceivedShare, Share } from '../../src/api/shares.ts'
import type { Space } from '../../src/api/spaces.ts'
import type { RemotePlace } from '../places.ts'
import type { Entry } from './listing.ts'

/** The root folder of a place, as far as lists of places tell. */
function rootFolder(place: Place, level: ShareLevel | null, created_at: string): FileItem {
  const { id, name, from } = place
  const times = { created_at, updated_at: created_at, modified_at: null, deleted_at: null }
  return {
    id,
    name,
    path: '/',
    logical_path: '/',
    size: 0,
    mime_type: null,
    parent_id: null,
    owner_id: 0,
    owner_name: from ?? '',
    place,
    may: abilitiesOf(level),
    is_shared: false,
    is_directory: true,
    is_favorite: false,
    ...times,
    thumbnail_path: null,
    tags: [],
    validation_status: 'approved',
    validation_comment: null,
  }
}

export const entryOfTeam = (team: Space): Entry => ({
  ...rootFolder(placeOfSpace(team), team.level, team.created_at),
  team,
})

export const entryOfPlace = ({ level, is_directory: _, ...place }: RemotePlace): Entry => rootFolder(place, level, '')

export function entryOfReceived({
  id,
  item,
  from,
  group,
  level,
  created_at,
  expires_at,
  is_new,
}: ReceivedShare): Entry {
  return { ...item, share: { id, who: from, group, level, created_at, expires_at, isNew: is_new } }
}

export function entryOfGiven({ id, item, who, level, created_at, expires_at }: Share): Entry {
  return { ...item, share: { id, who, group: null, level, created_at, expires_at, isNew: false } }
}
