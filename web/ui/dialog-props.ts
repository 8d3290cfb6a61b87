/** The props of a dialog. */
import type { ReactNode } from 'react'

export interface DialogProps {
  opened: boolean
  /** Without it the dialog stays above all others until its owner closes it. */
  onClose?: () => void
  title: string
  /** The width in pixels, or '100%'. */
  size?: number | string
  /** False when a click outside must not discard the content. */
  closeOnClickOutside?: boolean
  /** False while a dialog above it is the one that Escape closes. */
  closeOnEscape?: boolean
  children: ReactNode
}
