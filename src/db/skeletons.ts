/**
 * Compares names by how they look, so that nobody can pass for another user. Uses the skeletons of UTS 39, the Unicode
 * Security Mechanisms. Import it only where it is called: its table slows a start, and names are seldom given.
 */
import replaceConfusables from 'unhomoglyph'
import { userKey } from './user-key.ts'

/** A dot above i or j, which have one already, so it does not show. Lower-casing `İ` leaves one. */
const needlessDot = /([ij])\u0307/gu

/**
 * Returns the skeleton (UTS 39, section 4) of a name's userKey; it is equal for two names that look alike. Names that
 * differ in an accent differ, as they do in many languages. Use it only to compare, never to show. When the package
 * brings a new table, a migration must set users.username_skeleton to NULL.
 */
export function skeletonOf(name: string): string {
  return replaceConfusables(userKey(name).normalize('NFD')).normalize('NFD').replace(needlessDot, '$1')
}

/** Length of the column in code points. The few longer skeletons are compared up to this length. */
const maxSkeletonLength = 255
const outerPunctuation = /^\p{P}+|\p{P}+$/gu

/**
 * The value for users.username_skeleton. Ignores punctuation at the ends, as readers do with `admin.` in a sentence.
 */
export function usernameSkeleton(username: string): string {
  const skeleton = skeletonOf(username)
  const inner = skeleton.replace(outerPunctuation, '') || skeleton
  return [...inner].slice(0, maxSkeletonLength).join('')
}
