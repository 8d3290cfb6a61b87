/** Which item the Share dialog is open for. The dialog itself is a chunk of its own, which the frame shows. */
import { create } from 'zustand'
import type { Sharable } from '../../../src/api/share-words.ts'

export const useSharing = create<{ item: Sharable | null }>(() => ({ item: null }))

/** Opens the dialog, which shows who has access to an item; the user has to be one who may give access to it. */
export const openShareDialog = (item: Sharable): void => useSharing.setState({ item })

export const closeShareDialog = (): void => useSharing.setState({ item: null })
