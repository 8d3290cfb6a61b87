/** The columns of a list and their widths. */
import { loadedEntries } from '../listing.ts'
import { type Place, viewOf } from '../place.ts'

export interface Columns {
  name: number
  /** Width of the column with a hit's folder; 0 hides the column, as for those below. */
  place: number
  owner: number
  size: number
  date: number
  tags: number
  status: number
}

/** The marks before a name: cursor, selection, favorite, shared, and a space. */
export const markColumns = 5
/** Space between two columns. */
export const gap = 2
/** From these widths on a time includes the hour, and a hit its folder. */
const timeColumns = 96
const placeColumns = 120
/** Up to this width, as beside a preview, there is room for name and size only. */
const tightColumns = 60

const sum = (widths: readonly number[]): number =>
  widths.reduce((total, width) => total + (width === 0 ? 0 : width + gap), 0)

/** Computes the widths. Tags and status take space only if some entry has one. */
export function columnsOf(place: Place, width: number): Columns {
  let hasTags = false
  let hasStatus = false
  for (const [, entry] of loadedEntries(place.listing)) {
    hasTags ||= entry.tags.length > 0
    hasStatus ||= entry.validation_status !== 'approved'
  }
  const view = viewOf(place)
  if (width <= tightColumns) {
    const none = { place: 0, owner: 0, date: 0, tags: 0, status: 0 }
    return { ...none, size: 10, name: width - markColumns - sum([10]) - 1 }
  }
  const roomy = width >= timeColumns
  const fixed = {
    place: place.source.kind !== 'folder' && width >= placeColumns ? Math.floor(width / 5) : 0,
    owner: view === 'pending' ? (roomy ? 16 : 10) : 0,
    size: 10,
    date: roomy ? 16 : 10,
    tags: hasTags ? (roomy ? 24 : 12) : 0,
    status: hasStatus && view !== 'pending' ? 8 : 0,
  }
  return { ...fixed, name: width - markColumns - sum(Object.values(fixed)) - 1 }
}
