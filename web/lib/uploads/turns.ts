/** Which upload starts next: up to six small or two large ones in parallel, in the order they were added. */
import type { Rows } from './rows.ts'
import type { Upload } from './upload.ts'

/** A file of this size is large. Two large ones fill the connection, while small ones mostly wait for answers. */
const largeSize = 1024 ** 2
const parallelLarge = 2
export const parallelUploads = 6

/** A running upload. */
export interface Run {
  controller: AbortController
  isLarge: boolean
}

/** Ids in order. Those that no longer wait are skipped. */
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

/** Takes the next upload out of its line; undefined when none may start. */
export function takeNext(rows: Rows, lines: Lines, running: ReadonlyMap<number, Run>): Upload | undefined {
  const large = [...running.values()].filter(run => run.isLarge).length
  const heads = [headOf(rows, lines.small), large < parallelLarge ? headOf(rows, lines.large) : undefined]
  const [next] = heads.filter(upload => upload !== undefined).sort((a, b) => a.id - b.id)
  if (next !== undefined) lineOf(lines, next).shift()
  return next
}
