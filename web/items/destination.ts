/** A folder to put things into. */
export interface Destination {
  /** Null is the root. */
  id: number | null
  name: string
}
