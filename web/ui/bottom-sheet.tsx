/** A sheet that slides up from the bottom edge of a phone. */
import { useState } from 'react'
import { BottomDrawer } from './lazy-overlays.ts'
import type { BottomSheetProps } from './sheet-props.ts'

export function BottomSheet(props: BottomSheetProps) {
  // Keep it mounted after the first opening, so that its closing animation can run.
  const [isNeeded, setNeeded] = useState(props.opened)
  if (props.opened && !isNeeded) setNeeded(true)
  return isNeeded ? <BottomDrawer {...props} /> : null
}
