/** The place of the details panel, to the right of a list. */
import { DetailsFrame } from './details-frame.tsx'
import type { DetailsPanelProps } from './details-panel.tsx'
import styles from './details-slot.module.css'
import { useDetails } from './use-details.ts'

export function DetailsSlot(props: DetailsPanelProps) {
  const { isOpen, setOpen } = useDetails()
  if (!isOpen) return null
  return (
    <aside className={styles.slot} aria-label="Details">
      <DetailsFrame {...props} onClose={() => setOpen(false)} />
    </aside>
  )
}
