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

export const home: Destination = { id: null, name: 'Home', place: null, may: null }
