/** A menu of actions: next to its button or at the pointer, and on a phone a bottom sheet. */
import { ActionSheet, FloatingMenu } from './lazy-overlays.ts'
import type { ActionMenuProps } from './menu-props.ts'
import { useOnceTrue } from './use-once-true.ts'
import { usePhone } from './use-phone.ts'

export function ActionMenu(props: ActionMenuProps) {
  const isPhone = usePhone()
  const isNeeded = useOnceTrue(props.place !== null)
  if (isPhone) return isNeeded ? <ActionSheet {...props} /> : null
  return props.place === null ? null : <FloatingMenu {...props} place={props.place} />
}
