/** The details panel's frame, which stands and can be closed before what is in it has come. */
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { latePart } from '../../lib/server/late-part.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './details-frame.module.css'
import type { DetailsPanelProps } from './details-panel.tsx'
import { DetailsSkeleton } from './details-skeleton.tsx'

const DetailsPanel = latePart(() => import('./details-panel.tsx'), 'DetailsPanel', DetailsSkeleton)

interface DetailsFrameProps extends DetailsPanelProps {
  /** Called after the panel is to be gone; the focus is the caller's to give. */
  onClose: () => void
}

export function DetailsFrame({ onClose, ...rest }: DetailsFrameProps) {
  const isPhone = usePhone()
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Where it fills the screen, the focus goes along, and back when it is closed.
    if (!isPhone) return
    const before = document.activeElement
    close.current?.focus()
    return () => (before instanceof HTMLElement ? before.focus() : undefined)
  }, [isPhone])
  return (
    <div
      role="group"
      aria-label="What is selected"
      className={styles.panel}
      onKeyDown={event => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
    >
      <div className={styles.head}>
        <h2 className={styles.title}>Details</h2>
        <IconButton
          ref={close}
          label="Close details"
          icon={IconX}
          size={isPhone ? 'lg' : 'sm'}
          iconSize={isPhone ? 20 : 16}
          onClick={onClose}
        />
      </div>
      <DetailsPanel {...rest} />
    </div>
  )
}
