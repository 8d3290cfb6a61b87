/** The toolbar above the list: breadcrumbs, search box, Refresh, New Folder and Upload. */
import { Button } from '@mantine/core'
import { IconFolderPlus, IconTrash } from '@tabler/icons-react'
import { memo, type ReactNode } from 'react'
import { FoldersButton } from '../../items/folders-button.tsx'
import { RefreshButton } from '../../items/list/refresh-button.tsx'
import { BarEnd } from '../../items/search/bar-end.tsx'
import { SearchBox } from '../../items/search/search-box.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuAction } from '../../ui/menu-props.ts'
import styles from './toolbar.module.css'
import { UploadButton } from './upload-button.tsx'

interface ToolbarProps {
  breadcrumbs: ReactNode
  onRefresh: () => Promise<unknown>
  /** Leads to the trash of the team folder; null outside of one. */
  trash: MenuAction | null
  /** Absent when the user may not. */
  onNewFolder: (() => void) | undefined
  onUpload: (() => void) | undefined
  onUploadFolder: (() => void) | undefined
}

export const Toolbar = memo(function Toolbar(props: ToolbarProps) {
  const { breadcrumbs, onRefresh, trash, onNewFolder, onUpload, onUploadFolder } = props
  return (
    <div className={styles.toolbar}>
      <FoldersButton />
      {breadcrumbs}
      <SearchBox query="" />
      <BarEnd>
        <RefreshButton onRefresh={onRefresh} />
        {trash && <IconButton label={trash.label} icon={IconTrash} size="md" onClick={trash.run} />}
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
      </BarEnd>
    </div>
  )
})
