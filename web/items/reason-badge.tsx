/** The badge of a rejected file, a chunk of its own. A click shows the reason, because fingers see no tooltip. */
import { VisuallyHidden } from '@mantine/core'
import { type MouseEvent, useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import styles from './reason-badge.module.css'
import { ShownReason } from './shown-reason.tsx'

interface ReasonBadgeProps {
  reason: string
  tabIndex?: number
  /** Whether a click selects the item around it, as it does with a modifier key. */
  isSelecting?: boolean
}

export function ReasonBadge({ reason, tabIndex, isSelecting = false }: ReasonBadgeProps) {
  /** The badge, while the reason is shown beside it. */
  const [badge, setBadge] = useState<HTMLElement | null>(null)
  const toggle = (event: MouseEvent<HTMLElement>) => {
    if (isSelecting || event.shiftKey || event.ctrlKey || event.metaKey) return
    event.stopPropagation()
    setBadge(badge === null ? event.currentTarget : null)
  }
  return (
    <>
      <button
        type="button"
        className={styles.button}
        title={reason}
        tabIndex={tabIndex}
        aria-expanded={badge !== null}
        // Escape closes only the reason, not the viewer around it.
        data-mantine-stop-propagation={badge !== null}
        onKeyDown={event => {
          if (event.key !== 'Escape' || badge === null) return
          event.stopPropagation()
          setBadge(null)
        }}
        onClick={toggle}
        onDoubleClick={event => event.stopPropagation()}
      >
        <Badge tone="danger">Rejected</Badge>
        <VisuallyHidden>: {reason}</VisuallyHidden>
      </button>
      {badge && <ShownReason reason={reason} badge={badge} onClose={() => setBadge(null)} />}
    </>
  )
}
