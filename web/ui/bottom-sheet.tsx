/** A sheet that comes up from a phone's lower edge. */
import { type ReactNode, useState } from 'react'
import { BottomDrawer } from './late.ts'

export interface BottomSheetProps {
  opened: boolean
  onClose: () => void
  /** Its name for screen readers. */
  label: string
  /** Whether the focus goes back to where it was before. */
  returnFocus?: boolean
  children: ReactNode
}

export function BottomSheet(props: BottomSheetProps) {
  // Once opened it stays mounted, so that it can also be seen to close.
  const [isNeeded, setNeeded] = useState(props.opened)
  if (props.opened && !isNeeded) setNeeded(true)
  return isNeeded ? <BottomDrawer {...props} /> : null
}
