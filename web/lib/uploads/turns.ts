/**
 * Which uploads start next, in the order they were added: up to six requests in parallel, two of them with large files.
 * Small files that wait for the same place go in one request.
 */
import { largeFileBytes } from '../../../src/api/limits.ts'
import { openGroupRoom } from '../../../src/api/upload-group-room.ts'
import type { Rows } from './rows.ts'
import { topOf } from './target-folder.ts'
import type { Upload } from './upload.ts'

/** Two large files fill the connection, while small ones mostly wait for answers. */
const parallelLarge = 2
const parallelRequests = 6

/** A running request with one or more uploads. */
export interface Run {
  controller: AbortController
  isLarge: boolean
  /** Whether its whole body has left the page, so that the server may store it even if it is aborted. */
  isSent: boolean
}

/** Ids in order. Those that no longer wait are skipped. */
export interface Lines {
  small: number[]
  large: number[]
  /** Whether small files may go together: no proxy has refused that. */
  mayJoin: boolean
}

export const isLarge = ({ size }: Upload): boolean => size >= largeFileBytes
export const lineOf = (lines: Lines, upload: Upload): number[] => (isLarge(upload) ? lines.large : lines.small)

function headOf({ byId }: Rows, line: number[]): Upload | undefined {
  for (;;) {
    const [id] = line
    if (id === undefined) return undefined
    const upload = byId.get(id)
    if (upload?.status === 'waiting') return upload
    line.shift()
  }
}

const mayJoin = (upload: Upload): boolean =>
  upload.file !== null && !upload.isAlone && !upload.isUnsure && !isLarge(upload)

/** Takes the small files at the head of the line that go in one request. */
function takeGroup(rows: Rows, { small }: Lines, first: Upload): Upload[] {
  const group: Upload[] = []
  const top = topOf(first.target)
  const takes = openGroupRoom()
  for (let next = headOf(rows, small); next !== undefined; next = headOf(rows, small)) {
    if (!mayJoin(next) || topOf(next.target) !== top || !takes(next.size)) break
    group.push(next)
    small.shift()
  }
  return group
}

/** Takes the uploads of the next request out of their line; none when none may start. */
export function takeNext(rows: Rows, lines: Lines, running: ReadonlyMap<number, Run>): Upload[] {
  const runs = new Set(running.values())
  if (runs.size >= parallelRequests) return []
  const large = [...runs].filter(run => run.isLarge).length
  const heads = [headOf(rows, lines.small), large < parallelLarge ? headOf(rows, lines.large) : undefined]
  const [next] = heads.filter(upload => upload !== undefined).sort((a, b) => a.id - b.id)
  if (next === undefined) return []
  if (lines.mayJoin && mayJoin(next)) return takeGroup(rows, lines, next)
  lineOf(lines, next).shift()
  return [next]
}
