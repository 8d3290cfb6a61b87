/** What a dialog is told. */
import type { ReactNode } from 'react'

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
