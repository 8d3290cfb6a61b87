/** The frame of the details panel. It is shown, and can be closed, before its content has loaded. */
import { IconX } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { lazyPart } from '../../lib/server/lazy-part.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './details-frame.module.css'
import type { DetailsPanelProps } from './details-panel.tsx'
import { DetailsSkeleton } from './details-skeleton.tsx'

const DetailsPanel = lazyPart(() => import('./details-panel.tsx'), 'DetailsPanel', DetailsSkeleton)

interface DetailsFrameProps extends DetailsPanelProps {
  /** Called after the panel is hidden; the caller moves the focus. */
  onClose: () => void
}

export function DetailsFrame({ onClose, ...rest }: DetailsFrameProps) {
  const isPhone = usePhone()
  const close = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // On a phone the panel fills the screen: take the focus, and return it on closing.
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
