/**
 * The JSON file beside an exported tree, with what a disk cannot keep of its items. Each item is one line of the file.
 */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { finished } from 'node:stream/promises'
import * as z from 'zod/mini'
import { syncFolder } from '../../base/sync-folder.ts'
import { newDraft } from './drafts.ts'

/** The version of the file's format. Every change of the format needs a new number. */
const format = 1

export const itemDetails = z.partial(
  z.object({
    tags: z.array(z.string()),
    /** Name of the field → value. */
    metadata: z.record(z.string(), z.string()),
    is_favorite: z.boolean(),
    /** Left out if approved. */
    validation_status: z.enum(['pending', 'rejected']),
    validation_comment: z.string(),
  }),
)
/** The details of a file or folder; an empty object if there are none. */
export type ItemDetails = z.output<typeof itemDetails>

/** The part of the file before the items. */
export const detailsHead = z.object({
  filestore_export: z.literal(format),
  username: z.string(),
  exported_at: z.string(),
  /** All tags of the user, including unused ones. */
  tags: z.array(z.object({ name: z.string(), color: z.string() })),
})
export type DetailsHead = z.output<typeof detailsHead>

/** The name of the details file, which lies beside the folder `files` with the tree. */
export const detailsName = 'details.json'
export const filesName = 'files'
/** Matches the beginning of a details file, and of no other file. */
export const detailsMark = /^\s*\{\s*"filestore_export"\s*:/
/**
 * The line before the items, which are keyed by their path below the tree's folder. `itemsEnd` follows them, then the
 * closing brace of the file.
 */
export const itemsStart = '"items": {'
export const itemsEnd = '}'

export interface DetailsWriter {
  add(path: string, details: ItemDetails): Promise<void>
  /** Moves the complete file to its path and syncs it to the disk. */
  finish(): Promise<void>
  /** Stops writing, and leaves an earlier file at the path as it is. */
  breakOff(): Promise<void>
}

/** Opens the file for writing piece by piece, because a million items may have details. */
export function openDetails(path: string, head: Omit<DetailsHead, 'filestore_export'>): DetailsWriter {
  const draft = newDraft(dirname(path))
  const file = createWriteStream(draft, { flags: 'wx', mode: 0o600, flush: true })
  const ended = finished(file)
  // The next `await` throws the error; without this handler it would count as an unhandled rejection before.
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
      // Keep the draft if there is no earlier file, because it marks this folder as an export.
      const isSecond = await stat(path).then(
        () => true,
        () => false,
      )
      if (isSecond) await rm(draft, { force: true })
    },
  }
}
