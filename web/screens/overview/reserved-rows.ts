/** How many rows the cards had at the last visit, so that they have that height while the statistics load. */
import { type CSSProperties, useEffect, useState } from 'react'
import type { Profile } from '../../../src/api/auth.ts'
import { partsOf } from './parts.ts'
import { pick, type Stats } from './stats.ts'

interface Rows {
  storage: number
  recent: number
}

/** At the first visit from a browser, when only the profile is known: those of nearly every account. */
const likely: Rows = { storage: 5, recent: 10 }
/** An empty account has a sentence in each card. */
const empty: Rows = { storage: 1, recent: 1 }

const storageKey = (userId: number) => `overview-rows-${userId}`

function remembered(user: Profile): Rows {
  const [storage, recent] = (localStorage.getItem(storageKey(user.id)) ?? '').split(' ').map(Number)
  if (isCount(storage) && isCount(recent)) return { storage, recent }
  return user.storage_used === 0 ? empty : likely
}

const isCount = (count: number | undefined): count is number =>
  Number.isInteger(count) && count !== undefined && count > 0 && count <= 12

/** The rows to reserve, which stay for the visit: a card that shrinks would move what is below it. */
export function useReservedRows(user: Profile, stats: Stats): Rows {
  const [rows] = useState(() => remembered(user))
  const storage = pick(stats, known => partsOf(user, known).length)
  const recent = pick(stats, ({ recent_files }) => recent_files.length)
  useEffect(() => {
    if (storage === null || recent === null) return
    localStorage.setItem(storageKey(user.id), `${Math.max(1, storage)} ${Math.max(1, recent)}`)
  }, [user.id, storage, recent])
  return rows
}

/** The style by which a list has room for as many rows. */
export const roomFor = (rows: number): CSSProperties => ({ '--rows': rows }) as CSSProperties
