/** Which folders of the tree are expanded during this visit; null is Home. */
import { create } from 'zustand'

export type FolderId = number | null

export const useOpenFolders = create<{ ids: ReadonlySet<FolderId> }>(() => ({ ids: new Set<FolderId>([null]) }))

export function openInTree(ids: readonly FolderId[]): void {
  useOpenFolders.setState(now => (ids.every(id => now.ids.has(id)) ? now : { ids: new Set([...now.ids, ...ids]) }))
}

export function closeInTree(id: FolderId): void {
  useOpenFolders.setState(now => ({ ids: new Set([...now.ids].filter(other => other !== id)) }))
}
