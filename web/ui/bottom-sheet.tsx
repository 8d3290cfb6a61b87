/** A sheet that slides up from the bottom edge of a phone. */
import { BottomDrawer } from './lazy-drawer.ts'
import type { BottomSheetProps } from './sheet-props.ts'
import { useOnceTrue } from './use-once-true.ts'

export function BottomSheet(props: BottomSheetProps) {
  return useOnceTrue(props.opened) ? <BottomDrawer {...props} /> : null
}
