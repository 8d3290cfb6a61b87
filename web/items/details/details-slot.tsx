/** The place of the details panel at the right of a list, inside its sheet; the panel comes when it is first opened. */
import { latePart } from '../../lib/late-part.ts'
import type { DetailsPanelProps } from './details-panel.tsx'
import styles from './details-slot.module.css'
import { useDetails } from './use-details.ts'

const DetailsPanel = latePart(() => import('./details-panel.tsx'), 'DetailsPanel')

export function DetailsSlot(props: Omit<DetailsPanelProps, 'onClose'>) {
  const { isOpen, setOpen } = useDetails()
  if (!isOpen) return null
  return (
    <aside className={styles.slot} aria-label="Details">
      <DetailsPanel {...props} onClose={() => setOpen(false)} />
    </aside>
  )
}
