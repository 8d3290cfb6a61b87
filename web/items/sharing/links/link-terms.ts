/** On which terms a link is open. */
import type { Link } from '../../../../src/api/links.ts'
import { levelNames } from '../../../../src/api/share-words.ts'

/** What visitors may, and whether they need a password. */
export const wordsOfTerms = ({ level, has_password }: Link): string =>
  `${levelNames[level]}${has_password ? ', with a password' : ''}`
