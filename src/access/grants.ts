/**
 * Sums up what is granted at items and at the folders above them. Each folder is summed up once, from the folder above
 * it, so the cost is the number of folders and shares, however many items and nested folders there are.
 */
import type { ShareLevel } from '../api/share-levels.ts'
import { groupBy } from '../base/group-by.ts'
import { beganAt } from './share-sql.ts'
import { type Abilities, abilitiesOf, noAbilities, uniteTwo } from './standing.ts'

/** A share at an item or folder, or the item alone; whether the items of its space are being transferred. */
interface GrantRow {
  id: number
  parent_id: number | null
  /** Null: nothing is granted here. */
  level: ShareLevel | null
  created_at: number
  joined_at: number
  expires_at: number | null
  is_leaving: 0 | 1
}

/** Some grants together. */
interface Sum {
  readonly abilities: Abilities
  /** The topmost item with one of them; null: there is none. */
  readonly rootId: number | null
  /** Since when the first of them counts (ms). */
  readonly since: number
}

interface FolderSum {
  /** What is granted there and further up, for all that lies below. */
  readonly deep: Sum
  /** What is granted there to upload, which counts in the very folder, for what lies right in it. */
  readonly upload: Sum
  /** Whether it is the folder of the caller's key or link, or lies in it. */
  readonly isInScope: boolean
  /** Whether it, or a folder in which it lies, is in a space that is being transferred. */
  readonly isInTransit: boolean
}

/** What is granted at an item, and at all folders above it. */
export interface ItemSum extends Pick<FolderSum, 'isInScope' | 'isInTransit'> {
  readonly here: Abilities
  readonly above: Abilities
  readonly rootId: number | null
  readonly since: number
}

const nothing: Sum = { abilities: noAbilities, rootId: null, since: Number.POSITIVE_INFINITY }
const nowhere: FolderSum = { deep: nothing, upload: nothing, isInScope: false, isInTransit: false }

/** Two sums together, of which the first is no lower in the tree. */
const add = (upper: Sum, lower: Sum): Sum => ({
  abilities: uniteTwo(upper.abilities, lower.abilities),
  rootId: upper.rootId ?? lower.rootId,
  since: Math.min(upper.since, lower.since),
})

function addGrant(sum: Sum, row: GrantRow): Sum {
  const abilities = row.level === null ? noAbilities : abilitiesOf[row.level]
  return add(sum, { abilities, rootId: row.id, since: beganAt(row) })
}

/**
 * Returns a function that sums up the grants in force at an item, from the rows of the item and of all folders above it.
 * `scope` is the folder of the caller's key or link, if there is one; `now` is in ms.
 */
export function sumGrants(
  rows: readonly GrantRow[],
  scope: number | null,
  now: number,
): (item: { id: number; is_directory: 0 | 1 }) => ItemSum {
  const places = groupBy(rows, ({ id }) => id)
  const sums = new Map<number, FolderSum>()
  const parentOf = (id: number): number | null => places.get(id)?.[0]?.parent_id ?? null
  const isInForce = ({ level, expires_at }: GrantRow) => level !== null && (expires_at === null || expires_at > now)

  function sumAt(id: number | null): FolderSum {
    if (id === null) return nowhere
    const known = sums.get(id)
    if (known !== undefined) return known
    // A damaged folder may lie in itself: then its sum ends where it began.
    sums.set(id, nowhere)
    const parent = sumAt(parentOf(id))
    const rowsHere = places.get(id) ?? []
    const grants = rowsHere.filter(isInForce)
    const sum = {
      deep: grants.filter(({ level }) => level !== 'upload').reduce(addGrant, parent.deep),
      upload: grants.filter(({ level }) => level === 'upload').reduce(addGrant, nothing),
      isInScope: parent.isInScope || id === scope,
      isInTransit: parent.isInTransit || rowsHere[0]?.is_leaving === 1,
    }
    sums.set(id, sum)
    return sum
  }

  return ({ id, is_directory }) => {
    const parent = sumAt(parentOf(id))
    const { deep, upload, isInScope, isInTransit } = sumAt(id)
    const above = is_directory === 1 ? parent.deep : add(parent.deep, parent.upload)
    const here = add(above, add(deep, upload))
    return {
      here: here.abilities,
      above: above.abilities,
      rootId: here.rootId,
      // Who may only hand in does not see what happens, so that it is not for them later either.
      since: deep.rootId === null ? here.since : deep.since,
      isInScope,
      isInTransit,
    }
  }
}
