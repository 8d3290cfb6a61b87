/** The props of a bottom sheet. */
import type { ReactNode } from 'react'

export interface BottomSheetProps {
  opened: boolean
  onClose: () => void
  /** Its name for screen readers. */
  label: string
  /** Whether the previously focused element gets the focus back. */
  returnFocus?: boolean
  children: ReactNode
}
