/** The button that shows the folder tree: in the toolbar while the tree is hidden, on phones in the bottom bar. */
import { Button } from '@mantine/core'
import { IconLayoutSidebarLeftExpand, IconListTree } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { openFolders, showFolders, useFoldersPanel } from '../lib/local/folders-panel.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { useNarrow } from '../ui/use-narrow.ts'
import styles from './folders-button.module.css'

export function FoldersButton() {
  const { isShown, isOpen } = useFoldersPanel()
  const isNarrow = useNarrow()
  if (isShown && !isNarrow) return null
  return <ShowButton isOpen={isNarrow && isOpen} onClick={isNarrow ? openFolders : () => showFolders(true, true)} />
}

function ShowButton({ isOpen, onClick }: { isOpen: boolean; onClick: () => void }) {
  const ref = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (useFoldersPanel.getState().movesFocus) ref.current?.focus()
  }, [])
  return (
    <IconButton
      ref={ref}
      label="Show folders"
      icon={IconLayoutSidebarLeftExpand}
      className={styles.show}
      aria-keyshortcuts="["
      aria-expanded={isOpen}
      onClick={onClick}
    />
  )
}

export function PhoneFoldersButton() {
  const isOpen = useFoldersPanel(state => state.isOpen)
  return (
    <Button
      variant="default"
      size="lg"
      className={styles.phone}
      aria-label="Folders"
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      onClick={openFolders}
    >
      <IconListTree size={20} stroke={1.75} aria-hidden />
    </Button>
  )
}
