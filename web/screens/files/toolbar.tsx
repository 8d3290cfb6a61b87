/** The toolbar above the list: the way here, Refresh, New Folder and Upload. */
import { Button } from '@mantine/core'
import { IconFolderPlus, IconRefresh, IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './toolbar.module.css'

interface ToolbarProps {
  breadcrumbs: ReactNode
  onRefresh: () => void
  onNewFolder: () => void
  onUpload: () => void
}

export function Toolbar({ breadcrumbs, onRefresh, onNewFolder, onUpload }: ToolbarProps) {
  return (
    <div className={styles.toolbar}>
      {breadcrumbs}
      <IconButton label="Refresh" icon={IconRefresh} size="md" onClick={onRefresh} />
      <Button
        variant="default"
        leftSection={<IconFolderPlus size={16} stroke={1.75} aria-hidden />}
        className={styles.newFolder}
        aria-label="New Folder"
        onClick={onNewFolder}
      >
        <span className={styles.newFolderWords}>New Folder</span>
      </Button>
      <Button leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />} onClick={onUpload}>
        Upload
      </Button>
    </div>
  )
}
