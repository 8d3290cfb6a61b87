/**
 * What names look like, so that nobody is taken for another: by the skeletons of UTS 39, the Unicode Security Mechanisms.
 * Import it where it is called: its table takes a start's time to read, and names are seldom given.
 */
import replaceConfusables from 'unhomoglyph'
import { userKey } from './user-key.ts'

/** The letter has its own dot, so that one more does not show; lower case leaves it of `İ`. */
const needlessDot = /([ij])\u0307/gu

/**
 * The skeleton (UTS 39, section 4) of a name as it is compared: equal where two look alike. An accent is a difference, as
 * it is in many languages. Only to be compared, never to be shown. When the package brings a new table, a migration sets
 * users.username_skeleton to NULL.
 */
export function skeletonOf(name: string): string {
  return replaceConfusables(userKey(name).normalize('NFD')).normalize('NFD').replace(needlessDot, '$1')
}

/** Code points of the column; of the few names whose skeletons have more, the first so many are compared. */
const maxSkeletonLength = 255
const outerPunctuation = /^\p{P}+|\p{P}+$/gu

/** What users.username_skeleton holds. Punctuation at the ends is overlooked, as that of `admin.` in a sentence is. */
export function usernameSkeleton(username: string): string {
  const skeleton = skeletonOf(username)
  const inner = skeleton.replace(outerPunctuation, '') || skeleton
  return [...inner].slice(0, maxSkeletonLength).join('')
}
