/** The folder tree between its heading and the storage meter. */
import { IconLayoutSidebarLeftCollapse } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useFoldersPanel } from '../../../lib/local/folders-panel.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './folder-panel.module.css'
import { FolderTree, type FolderTreeProps } from './folder-tree.tsx'
import { StorageMeter } from './storage-meter.tsx'
import { usePlaceOnScreen } from './use-place-on-screen.ts'

interface FolderPanelProps extends FolderTreeProps {
  /** Absent when the panel closes by itself. */
  onHide?: () => void
}

export function FolderPanel({ onHide, ...tree }: FolderPanelProps) {
  const place = usePlaceOnScreen()
  return (
    <div className={styles.panel}>
      <div className={styles.head}>
        <h2 className={styles.title}>Folders</h2>
        {onHide && <HideButton onClick={onHide} />}
      </div>
      <FolderTree {...tree} />
      <StorageMeter teamId={place?.kind === 'team' ? place.id : null} />
    </div>
  )
}

function HideButton({ onClick }: { onClick: () => void }) {
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (useFoldersPanel.getState().movesFocus) ref.current?.focus()
  }, [])
  return (
    <IconButton
      ref={ref}
      label="Hide folders"
      icon={IconLayoutSidebarLeftCollapse}
      aria-keyshortcuts="["
      onClick={onClick}
    />
  )
}
