/** What a sheet from the lower edge is told. */
import type { ReactNode } from 'react'

export interface BottomSheetProps {
  opened: boolean
  onClose: () => void
  /** Its name for screen readers. */
  label: string
  /** Whether the focus goes back to where it was before. */
  returnFocus?: boolean
  children: ReactNode
}
