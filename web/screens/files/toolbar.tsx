/** The toolbar above the list: the way here, the search box, Refresh, New Folder and Upload. */
import { Button } from '@mantine/core'
import { IconFolderPlus, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { FoldersButton } from '../../items/folders-button.tsx'
import { SearchBox } from '../../items/search/search-box.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './toolbar.module.css'
import { UploadButton } from './upload-button.tsx'

interface ToolbarProps {
  breadcrumbs: ReactNode
  onRefresh: () => void
  /** Absent where the user may not. */
  onNewFolder: (() => void) | undefined
  onUpload: (() => void) | undefined
  onUploadFolder: () => void
}

export function Toolbar({ breadcrumbs, onRefresh, onNewFolder, onUpload, onUploadFolder }: ToolbarProps) {
  return (
    <div className={styles.toolbar}>
      <FoldersButton />
      {breadcrumbs}
      <SearchBox query="" />
      <IconButton label="Refresh" icon={IconRefresh} size="md" onClick={onRefresh} />
      {onNewFolder && (
        <Button
          variant="default"
          leftSection={<IconFolderPlus size={16} stroke={1.75} aria-hidden />}
          className={styles.newFolder}
          aria-label="New Folder"
          onClick={onNewFolder}
        >
          <span className={styles.newFolderWords}>New Folder</span>
        </Button>
      )}
      {onUpload && <UploadButton onUpload={onUpload} onUploadFolder={onUploadFolder} />}
    </div>
  )
}
