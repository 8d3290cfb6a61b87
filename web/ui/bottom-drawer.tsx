/** The bottom sheet itself; a chunk of its own. */
import { Drawer } from '@mantine/core'
import styles from './bottom-sheet.module.css'
import type { BottomSheetProps } from './sheet-props.ts'
import { useFocusReturn } from './use-focus-return.ts'

export function BottomDrawer({ opened, onClose, label, returnFocus = true, children }: BottomSheetProps) {
  useFocusReturn(opened && returnFocus)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      withCloseButton={false}
      returnFocus={returnFocus}
      data-closing={!opened || undefined}
      attributes={{ content: { 'aria-label': label } }}
    >
      <span className={styles.grip} />
      <div>{children}</div>
    </Drawer>
  )
}
