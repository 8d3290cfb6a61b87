/** What can still be taken back: the offers of toasts, which outlive them. */

type Offer = () => void

/** The last comes first. */
let offers: readonly Offer[] = []
/** Offers that are kept. */
const kept = 20

/** Remembers an offer to take something back; gives back what forgets it, for when it was taken or has no use. */
export function offerUndoing(undo: Offer): () => void {
  offers = [undo, ...offers].slice(0, kept)
  return () => {
    offers = offers.filter(offer => offer !== undo)
  }
}

/** Takes back what was done last; false where nothing is left to be taken back. */
export function undoLast(): boolean {
  const [last] = offers
  if (last === undefined) return false
  last()
  return true
}

/** Forgets all of it, as when somebody else signs in. */
export function forgetUndoing(): void {
  offers = []
}
