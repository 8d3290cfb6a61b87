/** A panel that slides over the page from the left window edge. */
import { Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import styles from './side-drawer.module.css'
import { useFocusReturn } from './use-focus-return.ts'

interface SideDrawerProps {
  opened: boolean
  onClose: () => void
  /** Its name for screen readers. */
  label: string
  children: ReactNode
}

export function SideDrawer({ opened, onClose, label, children }: SideDrawerProps) {
  useFocusReturn(opened)
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="left"
      data-closing={!opened || undefined}
      withCloseButton={false}
      classNames={styles}
      transitionProps={{ duration: 180 }}
      attributes={{ content: { 'aria-label': label } }}
    >
      {children}
    </Drawer>
  )
}
