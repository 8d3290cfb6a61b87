/** The details of the file on the stage, at its right; they stay open from file to file. */
import { create } from 'zustand'
import type { FileItem } from '../../src/api/items.ts'
import type { ItemActions } from '../items/actions/use-item-actions.tsx'
import { DetailsFrame } from '../items/details/details-frame.tsx'
import styles from './viewer-details.module.css'

/** Closed at first, independent of the list's own panel: the stage is for the file. */
export const useViewerDetails = create(() => ({ isOpen: false }))

const closeDetails = (): void => useViewerDetails.setState({ isOpen: false })

export function ViewerDetails({ item, actions }: { item: FileItem; actions: ItemActions }) {
  // The file is already on the stage, so the panel's Preview only closes the panel.
  const inViewer = { ...actions, preview: closeDetails, viewPdf: closeDetails }
  return (
    <aside className={styles.details} aria-label="Details">
      <DetailsFrame items={[item]} folder={null} actions={inViewer} onClose={closeDetails} />
    </aside>
  )
}
