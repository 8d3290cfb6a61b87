/** The JSON file beside an exported tree, with what a disk cannot keep of its items: each of them is a line of it. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import * as z from 'zod/mini'
import { syncFolder } from '../../blobs/sync-folder.ts'
import { newDraft } from './drafts.ts'

/** The form of the file; another one gets another number. */
const format = 1

export const itemDetails = z.partial(
  z.object({
    tags: z.array(z.string()),
    /** Field's name → value. */
    metadata: z.record(z.string(), z.string()),
    is_favorite: z.boolean(),
    /** Left out for what is approved. */
    validation_status: z.enum(['pending', 'rejected']),
    validation_comment: z.string(),
  }),
)
/** Of a file or folder; an empty object says nothing. */
export type ItemDetails = z.output<typeof itemDetails>

/** What stands before the items. */
export const detailsHead = z.object({
  filestore_export: z.literal(format),
  username: z.string(),
  exported_at: z.string(),
  /** Every tag of the user, on files or not. */
  tags: z.array(z.object({ name: z.string(), color: z.string() })),
})
export type DetailsHead = z.output<typeof detailsHead>

/** The file's name, beside the folder `files` with the tree. */
export const detailsName = 'details.json'
export const filesName = 'files'
/** How it begins, and no other file. */
export const detailsMark = /^\s*\{\s*"filestore_export"\s*:/
/** After this line, by path below the tree's folder, the items; then comes another brace for each of ours. */
export const itemsStart = '"items": {'
export const itemsEnd = '}'

export interface DetailsWriter {
  add(path: string, details: ItemDetails): Promise<void>
  /** Puts it in its place, whole and on the disk. */
  finish(): Promise<void>
  /** Leaves in its place what is there. */
  breakOff(): Promise<void>
}

/** Writes the file piece by piece, for a million items may have something to say. */
export function openDetails(path: string, head: Omit<DetailsHead, 'filestore_export'>): DetailsWriter {
  const draft = newDraft(dirname(path))
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  const ended = finished(file)
  // Told by the next wait; until then it would count as unhandled.
  ended.catch(() => undefined)
  const start = JSON.stringify({ filestore_export: format, ...head }, null, 1).replace(/\n\}$/, '')
  file.write(`${start},\n ${itemsStart}`)
  let separator = '\n  '
  return {
    add: async (itemPath, details) => {
      if (Object.keys(details).length === 0) return
      const isTaken = file.write(`${separator}${JSON.stringify(itemPath)}: ${JSON.stringify(details)}`)
      separator = ',\n  '
      if (!isTaken) await Promise.race([once(file, 'drain'), ended])
    },
    finish: async () => {
      file.end(`\n ${itemsEnd}\n}\n`)
      await ended
      await rename(draft, path)
      await syncFolder(dirname(path))
    },
    breakOff: async () => {
      file.destroy()
      await ended.catch(() => undefined)
      // Where it would be the first, the draft says what this folder is.
      const isSecond = await stat(path).then(
        () => true,
        () => false,
      )
      if (isSecond) await rm(draft, { force: true })
    },
  }
}
