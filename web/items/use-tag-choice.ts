/** Which tags some files have and will have; only the differences are sent. */
import { useMemo, useState } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import type { Tag } from '../../src/api/tags.ts'
import type { TagStep } from '../lib/data/tagging.ts'

/** How many of the files have a tag. */
export type Share = 'all' | 'some' | 'none'

export interface TagChoice {
  shareOf: (tagId: number) => Share
  /** How many of several files have the tag or, if that is to change, how many get or lose it; empty for no words. */
  noteOf: (tagId: number) => string
  /** Switches to the next choice: all, none and, if it started with some, back to that. */
  toggle: (tagId: number) => void
  /** The tags whose share is to change. */
  stepsFor: (tags: readonly Tag[]) => TagStep[]
}

const inWords = (count: number): string => count.toLocaleString('en-US')

/** The number of files that have each tag. */
function countsOf(files: readonly Pick<FileItem, 'tags'>[]): Map<number, number> {
  const counts = new Map<number, number>()
  for (const { id } of files.flatMap(({ tags }) => tags)) counts.set(id, (counts.get(id) ?? 0) + 1)
  return counts
}

export function useTagChoice(files: readonly Pick<FileItem, 'tags'>[]): TagChoice {
  const [wanted, setWanted] = useState<ReadonlyMap<number, boolean>>(new Map())
  const counts = useMemo(() => countsOf(files), [files])
  const total = files.length

  const shareNow = (tagId: number): Share => {
    const count = counts.get(tagId) ?? 0
    return count === 0 ? 'none' : count === total ? 'all' : 'some'
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
  return {
    shareOf,
    noteOf: tagId => {
      const count = counts.get(tagId) ?? 0
      const [now, next] = [shareNow(tagId), shareOf(tagId)]
      if (total === 1 || (now === 'none' && next === 'none')) return ''
      if (now !== next) return next === 'all' ? `add to ${inWords(total - count)}` : `take off ${inWords(count)}`
      return now === 'all' ? `on all ${inWords(total)}` : `on ${inWords(count)} of ${inWords(total)}`
    },
    toggle: tagId => {
      const share = shareOf(tagId)
      if (share === 'none' && shareNow(tagId) === 'some') want(tagId, undefined)
      else want(tagId, share !== 'all')
    },
    stepsFor: tags =>
      tags
        .filter(({ id }) => shareOf(id) !== shareNow(id))
        .map(({ id, name, color }) => ({ tag: { id, name, color }, isOn: shareOf(id) === 'all' })),
  }
}
