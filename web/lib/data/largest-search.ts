/** The largest files as the address states them. */
import { type FileKind, fileKinds } from '../../../src/api/kinds.ts'

/** The kind; absent for all. */
export const readLargest = ({ kind }: Record<string, unknown>): { kind?: FileKind } => ({
  kind: fileKinds.find(one => one === kind),
})
