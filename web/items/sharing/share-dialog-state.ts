/** Which item the Share dialog is open for. The dialog itself is a chunk of its own, which the frame shows. */
import { create } from 'zustand'
import type { FileItem } from '../../../src/api/items.ts'
import type { Sharable } from '../../../src/api/share-words.ts'

/** `may` is null in the own tree. */
export type SharedItem = Sharable & Pick<FileItem, 'may'>

export const useSharing = create<{ item: SharedItem | null }>(() => ({ item: null }))

/** Opens the dialog; the user has to be one who may give access to the item, or make links to it. */
export const openShareDialog = (item: SharedItem): void => useSharing.setState({ item })

export const closeShareDialog = (): void => useSharing.setState({ item: null })
