/** The JSON file beside an exported tree: what a disk cannot keep of its items. */

import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { text } from 'node:stream/consumers'
import { finished } from 'node:stream/promises'
import * as z from 'zod/mini'
import { AppError, systemCode } from '../../errors.ts'

/** The form of the file; another one gets another number. */
const format = 1

const itemDetails = z.partial(
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

const detailsFile = z.object({
  filestore_export: z.literal(format),
  username: z.string(),
  exported_at: z.string(),
  /** Every tag of the user, on files or not. */
  tags: z.array(z.object({ name: z.string(), color: z.string() })),
  /** Path below the tree's folder, as `Docs/a.pdf` → its details. */
  items: z.record(z.string(), itemDetails),
})
export type Details = z.output<typeof detailsFile>

/** The file's name, beside the folder `files` with the tree. */
export const detailsName = 'details.json'
export const filesName = 'files'

export interface DetailsWriter {
  add(path: string, details: ItemDetails): Promise<void>
  close(): Promise<void>
}

/** Writes the file piece by piece, for a million items may have something to say. */
export function openDetails(path: string, head: Omit<Details, 'filestore_export' | 'items'>): DetailsWriter {
  const file = createWriteStream(path, { mode: 0o600 })
  const ended = finished(file)
  // Told by the next wait; until then it would count as unhandled.
  ended.catch(() => undefined)
  const start = JSON.stringify({ filestore_export: format, ...head }, null, 1).replace(/\n\}$/, '')
  file.write(`${start},\n "items": {`)
  let separator = '\n  '
  return {
    add: async (itemPath, details) => {
      if (Object.keys(details).length === 0) return
      const isTaken = file.write(`${separator}${JSON.stringify(itemPath)}: ${JSON.stringify(details)}`)
      separator = ',\n  '
      if (!isTaken) await Promise.race([once(file, 'drain'), ended])
    },
    close: async () => {
      file.end('\n }\n}\n')
      await ended
    },
  }
}

/** Undefined where there is no such file. Throws `invalid_input` for what is none of ours. */
export async function readDetails(path: string): Promise<Details | undefined> {
  let content: string
  try {
    content = await text(createReadStream(path))
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined
    throw error
  }
  try {
    return detailsFile.parse(JSON.parse(content))
  } catch (error) {
    throw new AppError('invalid_input', `${path} is no details file of an export by this filestore`, { cause: error })
  }
}
