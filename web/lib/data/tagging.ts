/** The change that adds tags to files and takes others off. */
import type { FileItem, ItemTag } from '../../../src/api/items.ts'
import { tagFiles, untagFiles } from '../../../src/api/tags.ts'
import { call } from '../server/call.ts'
import { changeSlice, type Outcome } from './batch.ts'
import type { Change } from './change.ts'
import { manyAtFirst } from './item-changes.ts'
import { type Edit, everywhere } from './list-edits.ts'
import { showing } from './showing.ts'

/** A tag that all files of a change get or lose. */
export interface TagStep {
  tag: ItemTag
  isOn: boolean
}

const bears = ({ tags }: Pick<FileItem, 'tags'>, { id }: ItemTag): boolean => tags.some(tag => tag.id === id)

/** The steps that change a file. */
export const stepsFor = (file: FileItem, steps: readonly TagStep[]): TagStep[] =>
  steps.filter(({ tag, isOn }) => bears(file, tag) !== isOn)

function withStep(tags: readonly ItemTag[], { tag, isOn }: TagStep): ItemTag[] {
  const others = tags.filter(({ id }) => id !== tag.id)
  return isOn ? [...others, tag] : others
}

/** The files as they are before the change say what changes; `isUndo` takes exactly that back. */
export function tagging(steps: readonly TagStep[], isUndo = false): Change<FileItem> {
  const turned = (step: TagStep): TagStep => ({ ...step, isOn: step.isOn !== isUndo })
  const edit = (slice: readonly FileItem[]): Edit => {
    const changes = new Map(slice.map(file => [file.id, stepsFor(file, steps).map(turned)]))
    return entry => {
      const own = changes.get(entry.id)
      return own === undefined ? entry : { ...entry, tags: own.reduce(withStep, entry.tags) }
    }
  }
  const send = async (slice: readonly FileItem[]): Promise<Outcome> => {
    const failed = new Map<FileItem, unknown>()
    for (const step of steps) {
      const files = slice.filter(file => stepsFor(file, [step]).length > 0)
      if (files.length === 0) continue
      for (const { item, error } of (await sendStep(files, turned(step))).failed) failed.set(item, error)
    }
    return {
      done: slice.filter(file => !failed.has(file)),
      failed: [...failed].map(([item, error]) => ({ item, error })),
    }
  }
  return { send: showing([{ lists: everywhere, edit }], send), first: manyAtFirst, lists: everywhere, inHand: 'act' }
}

const sendStep = (files: readonly FileItem[], { tag, isOn }: TagStep) =>
  changeSlice(
    files,
    async file => {
      await call(isOn ? tagFiles : untagFiles, { tag_id: tag.id, file_ids: [file.id] })
      return file
    },
    { action: isOn ? 'tag' : 'untag', tag_id: tag.id },
  )
