/** Unsaved metadata values; selecting another item does not lose them. */
import { create } from 'zustand'

/** Changed values by field id. */
export type Draft = Readonly<Record<number, string>>

/** Drafts by file id; a file without one is not being edited. */
const useDrafts = create<Readonly<Record<number, Draft>>>(() => ({}))

export const useDraft = (fileId: number): Draft | undefined => useDrafts(drafts => drafts[fileId])

export function setDraft(fileId: number, draft: Draft): void {
  useDrafts.setState({ [fileId]: draft })
}

export function dropDraft(fileId: number): void {
  useDrafts.setState(({ [fileId]: _, ...others }) => others, true)
}
