/** The item that the keyboard is to begin on in the folder that is about to be shown. */
let awaited: number | null = null

/** Said before going to the item's folder from another screen. */
export function announceArrival(itemId: number): void {
  awaited = itemId
}

/** What was said last, once. */
export function takeArrival(): number | null {
  const id = awaited
  awaited = null
  return id
}
