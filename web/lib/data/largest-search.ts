/** The largest files as the address states them. */
import { type FileKind, fileKinds } from '../../../src/api/kinds.ts'

export interface LargestSearch {
  /** Absent for all. */
  kind?: FileKind
  /** Only files whose content is there twice. */
  duplicates?: boolean
}

export const readLargest = ({ kind, duplicates }: Record<string, unknown>): LargestSearch => ({
  kind: fileKinds.find(one => one === kind),
  duplicates: duplicates === true ? true : undefined,
})
