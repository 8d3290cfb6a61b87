/** The item that gets the keyboard focus in the folder that opens next. */
let awaited: number | null = null

/** Call this before navigating to the item's folder from another screen. */
export function announceArrival(itemId: number): void {
  awaited = itemId
}

/** Returns the announced item once, then null. */
export function takeArrival(): number | null {
  const id = awaited
  awaited = null
  return id
}
