/** A sheet that comes up from a phone's lower edge. */
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './bottom-sheet.module.css'

interface BottomSheetProps {
  opened: boolean
  onClose: () => void
  /** Its name for screen readers. */
  label: string
  /** Whether the focus goes back to where it was before. */
  returnFocus?: boolean
  children: ReactNode
}

export function BottomSheet({ opened, onClose, label, returnFocus = true, children }: BottomSheetProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="bottom"
      withCloseButton={false}
      returnFocus={returnFocus}
      attributes={{ content: { 'aria-label': label } }}
    >
      <span className={styles.grip} />
      <div>{children}</div>
    </Drawer>
  )
}
