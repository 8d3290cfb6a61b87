/** What can be undone: the offers of toasts, which outlive the toasts. */

type Offer = () => void

/** The latest comes first. */
let offers: readonly Offer[] = []
/** The most offers kept. */
const kept = 20

/** Remembers an Undo. Returns a function that forgets it, for when it was used or is obsolete. */
export function offerUndoing(undo: Offer): () => void {
  offers = [undo, ...offers].slice(0, kept)
  return () => {
    offers = offers.filter(offer => offer !== undo)
  }
}

/** Undoes the latest change; false when there is nothing left to undo. */
export function undoLast(): boolean {
  const [last] = offers
  if (last === undefined) return false
  last()
  return true
}

/** Forgets all offers, for example when another user signs in. */
export function forgetUndoing(): void {
  offers = []
}
