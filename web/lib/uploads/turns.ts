/** Whose turn it is: six small uploads or two large ones at once, in the order in which they were added. */
import type { Rows } from './rows.ts'
import type { Upload } from './upload.ts'

/** From this size on a file is large: two of them fill a line, while small ones mostly wait for answers. */
const largeSize = 1024 ** 2
const parallelLarge = 2
export const parallelUploads = 6

/** An upload under way. */
export interface Run {
  controller: AbortController
  isLarge: boolean
}

/** Ids in the order of their turn; those that no longer wait are passed over. */
export interface Lines {
  small: number[]
  large: number[]
}

export const isLarge = ({ size }: Upload): boolean => size >= largeSize
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

/** Takes the next upload out of its line; undefined where none may begin. */
export function takeNext(rows: Rows, lines: Lines, running: ReadonlyMap<number, Run>): Upload | undefined {
  const large = [...running.values()].filter(run => run.isLarge).length
  const heads = [headOf(rows, lines.small), large < parallelLarge ? headOf(rows, lines.large) : undefined]
  const [next] = heads.filter(upload => upload !== undefined).sort((a, b) => a.id - b.id)
  if (next !== undefined) lineOf(lines, next).shift()
  return next
}
