/** The reason of a rejection, beside its badge, until something else is clicked, typed or scrolled. */
import { useClickOutside } from '@mantine/hooks'
import { type SyntheticEvent, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { useBeside } from '../ui/use-beside.ts'
import styles from './shown-reason.module.css'

interface ShownReasonProps {
  reason: string
  badge: HTMLElement
  onClose: () => void
}

/** Whether an event presses the badge, whose click closes the reason then: closed before, it would open again. */
function isPressOn(badge: HTMLElement, event: Event): boolean {
  if (!(event.target instanceof Node && badge.contains(event.target))) return false
  return !(event instanceof KeyboardEvent) || event.key === 'Enter' || event.key === ' '
}

const stop = (event: SyntheticEvent) => event.stopPropagation()

export function ShownReason({ reason, badge, onClose }: ShownReasonProps) {
  const close = (event: Event) => !isPressOn(badge, event) && onClose()
  const box = useClickOutside<HTMLDivElement>(close, ['mousedown', 'touchstart', 'keydown'])
  const [place] = useState(() => badge.getBoundingClientRect())
  useBeside(box, place, 'start')
  useEffect(() => {
    const leave = ({ target }: Event) => target !== box.current && onClose()
    window.addEventListener('scroll', leave, { capture: true })
    return () => window.removeEventListener('scroll', leave, { capture: true })
  }, [box, onClose])
  return createPortal(
    // What is done in it is nothing for the row around the badge, to which React's events go on.
    // biome-ignore lint/a11y/useKeyWithClickEvents: nothing but a stop for the pointer's events
    <div
      ref={box}
      role="status"
      className={styles.reason}
      onClick={stop}
      onDoubleClick={stop}
      onContextMenu={stop}
      onDragStart={stop}
    >
      <p className={styles.title}>Reason</p>
      <p className={styles.text}>{reason}</p>
    </div>,
    document.body,
  )
}
