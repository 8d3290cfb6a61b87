/** A folder to move or copy items into. */
export interface Destination {
  /** Null is the root. */
  id: number | null
  name: string
}
