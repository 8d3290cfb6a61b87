/** Which item the Share dialog is open for. The dialog itself is a chunk of its own, which the frame shows. */
import { create } from 'zustand'
import type { FileItem, Place } from '../../../src/api/items.ts'

/** What the dialog knows of an item. A team folder's `place` is that of the kind `team` with the folder's own id. */
export type Sharable = Pick<FileItem, 'id' | 'name' | 'is_directory'> & { place: Pick<Place, 'kind' | 'id'> | null }

export const useSharing = create<{ item: Sharable | null }>(() => ({ item: null }))

/** Opens the dialog, which shows who has access to an item; the user has to be one who may give access to it. */
export const openShareDialog = (item: Sharable): void => useSharing.setState({ item })

export const closeShareDialog = (): void => useSharing.setState({ item: null })

/** Whether an item is a team folder itself, and not in one. */
export const isTeamFolder = ({ id, place }: Sharable): boolean => place?.kind === 'team' && place.id === id
