/** What a link was used for, as a sentence of its own. */
import { linkUse } from '../../../../src/api/link-words.ts'
import type { Link } from '../../../../src/api/links.ts'

/** `Opened 12 times, 3 downloads`, or that it was not used yet. */
export function wordsOfUse(link: Link): string {
  const words = linkUse(link) ?? 'not used yet'
  return words.charAt(0).toUpperCase() + words.slice(1)
}
