/** A dialog over the page: title, content, and the actions that the content ends with. */
import { type ReactNode, useState } from 'react'
import { ModalDialog } from './late.ts'

export interface DialogProps {
  opened: boolean
  /** Without it the dialog stays, above all others, until its owner closes it. */
  onClose?: () => void
  title: string
  /** Pixels of its width, or '100%'. */
  size?: number | string
  /** False for what must not be lost by a click beside it. */
  closeOnClickOutside?: boolean
  children: ReactNode
}

export function Dialog(props: DialogProps) {
  // Once opened it stays mounted, so that it can also be seen to close.
  const [isNeeded, setNeeded] = useState(props.opened)
  if (props.opened && !isNeeded) setNeeded(true)
  return isNeeded ? <ModalDialog {...props} /> : null
}
