/** The details of the file on the stage, at its right; they stay open while one goes from file to file. */
import { create } from 'zustand'
import type { FileItem } from '../../src/api/items.ts'
import type { ItemActions } from '../items/actions/use-item-actions.tsx'
import { DetailsFrame } from '../items/details/details-frame.tsx'
import styles from './viewer-details.module.css'

/** Closed at first, whatever the list beside it shows: the stage is for the file. */
export const useViewerDetails = create(() => ({ isOpen: false }))

const closeDetails = (): void => useViewerDetails.setState({ isOpen: false })

export function ViewerDetails({ item, actions }: { item: FileItem; actions: ItemActions }) {
  // The panel's Preview leads to the file, which is on the stage: where the panel lies over it, that is to close it.
  const inViewer = { ...actions, preview: closeDetails, viewPdf: closeDetails }
  return (
    <aside className={styles.details} aria-label="Details">
      <DetailsFrame items={[item]} folder={null} actions={inViewer} onClose={closeDetails} />
    </aside>
  )
}
