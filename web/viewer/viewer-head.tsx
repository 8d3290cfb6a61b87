/** The viewer's head: close, file name, the controls of the file type, and the file's actions. */
import { useFullscreenDocument } from '@mantine/hooks'
import { IconDownload, IconInfoCircle, IconMaximize, IconMinimize, IconTag, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { previewKind } from '../../src/api/preview-kinds.ts'
import type { ItemActions } from '../items/actions/use-item-actions.tsx'
import { ItemName } from '../items/item-name.tsx'
import { StatusBadge } from '../items/status-badge.tsx'
import { formatSize } from '../lib/words/format-size.ts'
import { ToolButton } from './tool-button.tsx'
import { useViewerDetails } from './viewer-details.tsx'
import styles from './viewer-head.module.css'

interface ViewerHeadProps {
  item: FileItem
  position: { index: number; total: number } | undefined
  /** Whether the file is gone, so that no action is possible. */
  isGone: boolean
  isPage: boolean
  actions: ItemActions
  onClose: () => void
  /** The controls of the stage. */
  children: ReactNode
}

export function ViewerHead({ item, position, isGone, isPage, actions, onClose, children }: ViewerHeadProps) {
  const Name = isPage ? 'h1' : 'h2'
  const place =
    position && `${(position.index + 1).toLocaleString('en-US')} of ${position.total.toLocaleString('en-US')}`
  return (
    <div className={styles.head}>
      <ToolButton label="Close" icon={IconX} onClick={onClose} />
      <div className={styles.words}>
        <Name className={styles.name} title={item.name}>
          <ItemName item={item} />
        </Name>
        <StatusBadge item={item} />
        <span className={styles.meta}>{[place, formatSize(item.size)].filter(Boolean).join(' · ')}</span>
      </div>
      {children}
      {!isGone && <FileActions item={item} actions={actions} />}
    </div>
  )
}

function FileActions({ item, actions }: { item: FileItem; actions: ItemActions }) {
  const mayTag = actions.mayOn([item]).tag
  const { isOpen } = useViewerDetails()
  return (
    <div className={styles.actions}>
      {mayTag && <ToolButton label="Manage Tags" icon={IconTag} onClick={() => actions.manageTags([item])} />}
      <ToolButton
        label="Details"
        icon={IconInfoCircle}
        isOn={isOpen}
        onClick={() => useViewerDetails.setState({ isOpen: !isOpen })}
      />
      <ToolButton label="Download" icon={IconDownload} onClick={() => actions.download([item])} />
      {previewKind(item.mime_type) === 'pdf' && document.fullscreenEnabled && <FullscreenButton />}
    </div>
  )
}

/** Makes the whole document fullscreen, so that dialogs and notices are visible there too. */
function FullscreenButton() {
  const { fullscreen, toggle } = useFullscreenDocument()
  return (
    <ToolButton
      label={fullscreen ? 'Exit fullscreen' : 'Fullscreen'}
      icon={fullscreen ? IconMinimize : IconMaximize}
      onClick={() => void toggle()}
    />
  )
}
