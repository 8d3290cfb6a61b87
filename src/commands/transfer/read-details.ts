/** Reads the details of an export line by line, however many there are. */
import { constants, createReadStream } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { AppError, systemCode } from '../../base/errors.ts'
import {
  type DetailsHead,
  detailsHead,
  detailsMark,
  type ItemDetails,
  itemDetails,
  itemsEnd,
  itemsStart,
} from './details.ts'

/** The most bytes of a line, which holds everything about one item. */
const longestLine = 16 * 1024 ** 2
/** The mark is within this many bytes from the start. */
const markLength = 256

/** Details of an export. Only the positions of the items' lines are kept in memory. */
export interface Details extends Pick<DetailsHead, 'tags'> {
  /**
   * Finds an item's details by its path below the tree's folder, as `Docs/a.pdf`. Throws `invalid_input` if the file
   * has changed since.
   */
  find(path: string): Promise<ItemDetails>
}

/** Whether a path is a regular file that begins like the details of an export. */
export async function isDetailsFile(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(error => {
    if (systemCode(error) !== 'ENOENT') throw error
  })
  if (stats?.isFile() !== true) return false
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(markLength), 0, markLength, 0)
    return detailsMark.test(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await file.close()
  }
}

interface Line {
  /** Offset in the file, in bytes. */
  start: number
  text: string
}

/** Yields the lines from an offset on. Skips a last line without a newline, because it is incomplete. */
async function* readLines(path: string, from = 0): AsyncGenerator<Line> {
  let start = from
  let held: Buffer[] = []
  let heldBytes = 0
  for await (const chunk of createReadStream(path, { start: from }) as AsyncIterable<Buffer>) {
    let begin = 0
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', begin)) {
      const bytes = Buffer.concat([...held, chunk.subarray(begin, end)])
      yield { start, text: bytes.toString().trim() }
      start += bytes.length + 1
      begin = end + 1
      held = []
      heldBytes = 0
    }
    held.push(chunk.subarray(begin))
    heldBytes += chunk.length - begin
    if (heldBytes > longestLine) throw new Error('a line is too long')
  }
}

function parseItem(text: string): { path: string; details: ItemDetails } {
  const [item, ...others] = Object.entries(JSON.parse(`{${text.replace(/,$/, '')}}`))
  if (item === undefined || others.length > 0) throw new Error('a line is not that of one item')
  return { path: item[0], details: itemDetails.parse(item[1]) }
}

/** Returns the head, and the offset of each item's line by its path. */
async function readAll(path: string): Promise<{ head: DetailsHead; starts: Map<string, number> }> {
  const headLines: string[] = []
  const starts = new Map<string, number>()
  let isHead = true
  for await (const { start, text } of readLines(path)) {
    if (isHead && text !== itemsStart) headLines.push(text)
    else if (isHead) isHead = false
    else if (text !== itemsEnd) starts.set(parseItem(text).path, start)
    else return { head: detailsHead.parse(JSON.parse(`${headLines.join('').replace(/,$/, '')}}`)), starts }
  }
  throw new Error('the end is missing')
}

async function findAt(path: string, start: number, itemPath: string): Promise<ItemDetails> {
  for await (const { text } of readLines(path, start)) {
    const item = parseItem(text)
    if (item.path === itemPath) return item.details
    break
  }
  throw new Error('another item stands there')
}

/**
 * Reads the details of an export. Throws `invalid_input` if the file is not in the format of an export, or no longer
 * is.
 */
export async function readDetails(path: string): Promise<Details> {
  const refuse = (error: unknown): never => {
    if (systemCode(error) !== undefined) throw error
    const sentence = `${path} is no details file of an export by this filestore, or was changed since`
    throw new AppError('invalid_input', sentence, { cause: error })
  }
  const { head, starts } = await readAll(path).catch(refuse)
  return {
    tags: head.tags,
    find: async itemPath => {
      const start = starts.get(itemPath)
      return start === undefined ? {} : findAt(path, start, itemPath).catch(refuse)
    },
  }
}
