/** A folder to move, copy or upload items into. */
import type { Place, PlaceAbilities } from '../../src/api/items.ts'

export interface Destination {
  /** Null is the root of the own tree. */
  id: number | null
  name: string
  /** Null in the own tree. */
  place: Place | null
  /** What the user may do in it; null in the own tree. */
  may: PlaceAbilities | null
}

/** The folder's name with that of its place, where it is another: `Campaigns (Marketing)`. */
export const labelOf = ({ id, name, place }: Pick<Destination, 'id' | 'name' | 'place'>): string =>
  place === null || place.id === id ? name : `${name} (${place.name})`

/** Nothing can be done in a folder before it is known what the user may do there. */
export const nothingYet: PlaceAbilities = {
  see: true,
  add: false,
  change: false,
  organise: false,
  trash: false,
  share: false,
}

export const home: Destination = { id: null, name: 'Home', place: null, may: null }
