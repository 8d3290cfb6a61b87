/** What gives access, by kind: people and groups one by one, the links on one item together. */
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import { levelNames } from '../../../src/api/share-words.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'

/** Access that is no link: the owner's, or what a person or group was given. */
export type PersonEntry = AccessEntry & { level: ShareLevel }

export const isOfPerson = (entry: AccessEntry): entry is PersonEntry => entry.who.kind !== 'link'

export interface LinkGroup {
  because: AccessEntry['because']
  links: readonly AccessEntry[]
}

/** The links by the item that they are on, in the order of `entries`. */
export function groupLinks(entries: readonly AccessEntry[]): LinkGroup[] {
  const groups = new Map<number, AccessEntry[]>()
  for (const entry of entries) {
    if (entry.who.kind === 'link') groups.set(entry.because.id, [...(groups.get(entry.because.id) ?? []), entry])
  }
  return [...groups.values()].flatMap(links => (links[0] === undefined ? [] : [{ because: links[0].because, links }]))
}

/** `View, Upload only`. */
export const levelsOf = (links: readonly AccessEntry[]): string =>
  [...new Set(links.map(({ level }) => levelNames[level]))].join(', ')

/** `Anyone with the link`, `Anyone with one of 3 links`. */
export const holdersOf = (links: readonly AccessEntry[]): string =>
  links.length === 1 ? 'Anyone with the link' : `Anyone with one of ${links.length.toLocaleString('en-US')} links`
