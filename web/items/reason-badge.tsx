/** The badge of a rejected file, a chunk of its own. A click shows the reason, because fingers see no tooltip. */
import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { Badge } from '../ui/badge.tsx'
import type { MenuPlace } from '../ui/menu-props.ts'
import styles from './reason-badge.module.css'
import { ShownReason } from './shown-reason.tsx'

export function ReasonBadge({ reason, tabIndex }: { reason: string; tabIndex: number | undefined }) {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  return (
    <>
      <button
        type="button"
        className={styles.button}
        title={reason}
        tabIndex={tabIndex}
        aria-expanded={place !== null}
        // A press on it closes what it has opened, and Escape only that, not the viewer around it.
        data-ignore-outside-clicks={place !== null || undefined}
        data-mantine-stop-propagation={place !== null}
        onKeyDown={event => {
          if (event.key !== 'Escape' || place === null) return
          event.stopPropagation()
          setPlace(null)
        }}
        onClick={event => {
          event.stopPropagation()
          setPlace(place === null ? event.currentTarget.getBoundingClientRect() : null)
        }}
        onDoubleClick={event => event.stopPropagation()}
      >
        <Badge tone="danger">Rejected</Badge>
        <VisuallyHidden>: {reason}</VisuallyHidden>
      </button>
      {place && <ShownReason reason={reason} place={place} onClose={() => setPlace(null)} />}
    </>
  )
}
