/** Metadata values that were typed and not saved yet: another selection does not lose them. */
import { create } from 'zustand'

/** Field id → value, of the fields that were changed. */
export type Draft = Readonly<Record<number, string>>

/** File id → its draft; a file without one is not being edited. */
const useDrafts = create<Readonly<Record<number, Draft>>>(() => ({}))

export const useDraft = (fileId: number): Draft | undefined => useDrafts(drafts => drafts[fileId])

export function setDraft(fileId: number, draft: Draft): void {
  useDrafts.setState({ [fileId]: draft })
}

export function dropDraft(fileId: number): void {
  useDrafts.setState(({ [fileId]: _, ...others }) => others, true)
}
