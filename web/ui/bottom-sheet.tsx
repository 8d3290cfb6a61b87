/** A sheet that comes up from a phone's lower edge. */
import { useState } from 'react'
import { BottomDrawer } from './late.ts'
import type { BottomSheetProps } from './sheet-props.ts'

export function BottomSheet(props: BottomSheetProps) {
  // Once opened it stays mounted, so that it can also be seen to close.
  const [isNeeded, setNeeded] = useState(props.opened)
  if (props.opened && !isNeeded) setNeeded(true)
  return isNeeded ? <BottomDrawer {...props} /> : null
}
