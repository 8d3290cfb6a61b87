/** What somebody may do at a place: the abilities that shares give, and the needs of calls. */
import type { ShareLevel } from '../api/share-levels.ts'

/**
 * The access that is needed to an item: to read it (`see`), for a folder with all that others have put there (`seeAll`),
 * or only its entry (`know`), to add to it if it is a folder (`add`), to change its metadata (`change`) or content
 * (`replace`), to rename or move it (`organise`), to trash or restore it (`trash`), to delete it for good (`purge`), and
 * to give access to it (`manage`).
 */
export type Need = 'see' | 'seeAll' | 'know' | 'add' | 'change' | 'replace' | 'organise' | 'trash' | 'purge' | 'manage'

/** The ability that a need requires on the item itself. Needs missing here require `change` on the folder that holds it. */
const abilityFor: Partial<Record<Need, keyof Abilities>> = {
  seeAll: 'see',
  add: 'add',
  change: 'change',
  replace: 'change',
  purge: 'manage',
  manage: 'manage',
}

export interface Abilities {
  readonly see: boolean
  readonly add: boolean
  readonly change: boolean
  readonly manage: boolean
}

export interface Standing {
  /** On the item itself. */
  readonly here: Abilities
  /** In the folder that holds it, which decides about its name and place. */
  readonly above: Abilities
  /** The topmost item that is granted, with which paths begin; null in the caller's own tree. */
  readonly rootId: number | null
  /** Since when it is granted (ms); 0 in the own tree. */
  readonly since: number
}

/** In place of a standing: a reviewer sees a file by that right alone, with its path from the root of its space. */
export const byReview = 'review'

/** What lets somebody see an item. Who has none of it sees neither the item nor where it is. */
export type Sight = Standing | typeof byReview

/** The folder with which an item's path begins for its viewer; null for the root of its space. */
export const rootOf = (sight: Sight): number | null => (sight === byReview ? null : sight.rootId)

export const everything: Abilities = { see: true, add: true, change: true, manage: true }
export const noAbilities: Abilities = { see: false, add: false, change: false, manage: false }

export const abilitiesOf: Readonly<Record<ShareLevel, Abilities>> = {
  view: { ...noAbilities, see: true },
  upload: { ...noAbilities, add: true },
  edit: { ...everything, manage: false },
  manage: everything,
}

/** All that two of them allow together. */
export const uniteTwo = (one: Abilities, other: Abilities): Abilities => ({
  see: one.see || other.see,
  add: one.add || other.add,
  change: one.change || other.change,
  manage: one.manage || other.manage,
})

/** All that the levels allow together. */
export const unite = (levels: readonly ShareLevel[]): Abilities =>
  levels.reduce((sum, level) => uniteTwo(sum, abilitiesOf[level]), noAbilities)

/** The standing in one's own tree. */
export const ownStanding: Standing = { here: everything, above: everything, rootId: null, since: 0 }

/** What somebody may do with what lies in a folder, before what is granted on it further down. */
export const standingIn = ({ here, rootId, since }: Standing): Standing => ({ here, above: here, rootId, since })

/** The need of a reader who goes on: what was shown in a folder at the beginning must be shown still. */
export const needToReadOn = ({ see }: Abilities): Need => (see ? 'seeAll' : 'see')

/** Whether a standing meets a need. A user who may only add to a folder may read their own files there. */
export function allows({ here, above }: Standing, need: Need): boolean {
  if (need === 'see' || need === 'know') return here.see || here.add
  const ability = abilityFor[need]
  return ability === undefined ? above.change : here[ability]
}
