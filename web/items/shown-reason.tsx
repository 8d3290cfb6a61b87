/** The reason of a rejection, beside its badge, until something else is clicked, typed or scrolled. */
import { useClickOutside } from '@mantine/hooks'
import { useEffect } from 'react'
import { createPortal } from 'react-dom'
import type { MenuPlace } from '../ui/menu-props.ts'
import { useBeside } from '../ui/use-beside.ts'
import styles from './shown-reason.module.css'

interface ShownReasonProps {
  reason: string
  place: MenuPlace
  onClose: () => void
}

export function ShownReason({ reason, place, onClose }: ShownReasonProps) {
  const box = useClickOutside<HTMLDivElement>(onClose, ['mousedown', 'touchstart', 'keydown'])
  useBeside(box, place, 'start')
  useEffect(() => {
    const close = ({ target }: Event) => target !== box.current && onClose()
    window.addEventListener('scroll', close, { capture: true })
    return () => window.removeEventListener('scroll', close, { capture: true })
  }, [box, onClose])
  return createPortal(
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click in it is none on the row around the badge
    <div ref={box} role="status" className={styles.reason} onClick={event => event.stopPropagation()}>
      <p className={styles.title}>Reason</p>
      <p className={styles.text}>{reason}</p>
    </div>,
    document.body,
  )
}
