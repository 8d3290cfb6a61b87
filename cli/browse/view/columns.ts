/** Which columns a list has, and how wide each is. */
import { type Entry, loadedEntries } from '../listing.ts'
import { type Place, viewOf } from '../state.ts'

export interface Columns {
  name: number
  /** Columns of the folder that a hit stands in; 0 leaves it out, as for the next ones. */
  place: number
  owner: number
  size: number
  date: number
  tags: number
  status: number
}

/** The marks before a name: the cursor's, the selection's, the favourite's, and a space. */
export const markColumns = 4
/** Between two columns. */
export const gap = 2
/** From these on a time has its hour, and a hit its folder. */
const timeColumns = 96
const placeColumns = 120
/** Below these, as beside a preview, name and size are all there is room for. */
const tightColumns = 60

const sum = (widths: readonly number[]): number =>
  widths.reduce((total, width) => total + (width === 0 ? 0 : width + gap), 0)

/** Tags and status take room only where some entry has one. */
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

/** The folder that an entry stands in. */
export const folderOf = ({ path }: Entry): string => path.slice(0, path.lastIndexOf('/')) || '/'
