/** On which terms a link is open: what visitors may, whether they need a password, until when. */
import type { Link } from '../../../../src/api/links.ts'
import { levelNames } from '../../../../src/api/share-words.ts'
import { formatDay } from '../../../lib/words/format-date.ts'

/** `View, with a password, until 3 Dec 2026`. */
export const wordsOfTerms = ({ level, has_password, expires_at, reason }: Link): string =>
  [
    levelNames[level],
    has_password && 'with a password',
    expires_at !== null && reason !== 'expired' && `until ${formatDay(expires_at)}`,
  ]
    .filter(Boolean)
    .join(', ')
