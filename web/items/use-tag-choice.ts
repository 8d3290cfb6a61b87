/** Which tags some files have and will have; only the differences are sent. */
import { useMemo, useState } from 'react'
import type { FileItem, ItemTag } from '../../src/api/items.ts'
import { setTag } from '../lib/data/tags.ts'

/** How many of the files have a tag. */
export type Share = 'all' | 'some' | 'none'

interface TagChoice {
  shareOf: (tagId: number) => Share
  /** Switches to the next choice: all, none and, if it started with some, back to that. */
  toggle: (tagId: number) => void
  /** Sends the differences, tag by tag. Throws the first failure; what was sent before is not sent again. */
  apply: () => Promise<void>
}

type Bearer = Pick<FileItem, 'id'> & { tags: readonly Pick<ItemTag, 'id'>[] }

/** The files that have each tag. */
function bearersOf(files: readonly Bearer[]): Map<number, Set<number>> {
  const bearers = new Map<number, Set<number>>()
  for (const { id, tags } of files) {
    for (const tag of tags) bearers.set(tag.id, (bearers.get(tag.id) ?? new Set()).add(id))
  }
  return bearers
}

export function useTagChoice(files: readonly Bearer[]): TagChoice {
  const [wanted, setWanted] = useState<ReadonlyMap<number, boolean>>(new Map())
  const bearers = useMemo(() => bearersOf(files), [files])

  const shareNow = (tagId: number): Share => {
    const count = bearers.get(tagId)?.size ?? 0
    return count === 0 ? 'none' : count === files.length ? 'all' : 'some'
  }
  const shareOf = (tagId: number): Share => {
    const isOn = wanted.get(tagId)
    return isOn === undefined ? shareNow(tagId) : isOn ? 'all' : 'none'
  }
  const want = (tagId: number, isOn: boolean | undefined) =>
    setWanted(before => {
      const next = new Map(before)
      if (isOn === undefined) next.delete(tagId)
      else next.set(tagId, isOn)
      return next
    })
  const toggle = (tagId: number) => {
    const share = shareOf(tagId)
    if (share === 'none' && shareNow(tagId) === 'some') want(tagId, undefined)
    else want(tagId, share !== 'all')
  }
  const apply = async () => {
    for (const [tagId, isOn] of wanted) {
      const bearing = bearers.get(tagId) ?? new Set()
      const differing = files.map(({ id }) => id).filter(id => bearing.has(id) !== isOn)
      if (differing.length > 0) await setTag(tagId, differing, isOn)
      for (const id of differing) {
        if (isOn) bearing.add(id)
        else bearing.delete(id)
      }
      bearers.set(tagId, bearing)
    }
  }
  return { shareOf, toggle, apply }
}
