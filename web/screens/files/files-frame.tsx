/** The frame that stays from folder to folder: the folder tree beside the sheet, or over it in narrow windows. */
import { useWindowEvent } from '@mantine/hooks'
import { Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { useItemActions } from '../../items/actions/use-item-actions.tsx'
import { subfoldersOf } from '../../lib/data/subfolders.ts'
import { closeFolders, openFolders, showFolders, useFoldersPanel } from '../../lib/local/folders-panel.ts'
import { lazyPart } from '../../lib/server/lazy-part.ts'
import { BottomSheet } from '../../ui/bottom-sheet.tsx'
import { isPageBehind, isTyping } from '../../ui/keys.ts'
import { showError } from '../../ui/toast.tsx'
import { useNarrow } from '../../ui/use-narrow.ts'
import { useOnceTrue } from '../../ui/use-once-true.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './files-frame.module.css'
import { useFolderMenu } from './tree/folder-menu-state.ts'
import { FolderPanel } from './tree/folder-panel.tsx'

const FolderMenu = lazyPart(() => import('./tree/folder-menu.tsx'), 'FolderMenu')
const SideDrawer = lazyPart(() => import('../../ui/side-drawer.tsx'), 'SideDrawer')

const noItems: readonly FileItem[] = []

export function FilesFrame() {
  const { isShown, isOpen } = useFoldersPanel()
  const isNarrow = useNarrow()
  const isPhone = usePhone()
  const actions = useTreeActions()
  useToggleKey(isNarrow)
  useEffect(() => closeFolders, [])
  // It contains the dialogs it opens.
  const isMenuNeeded = useOnceTrue(useFolderMenu(({ menu }) => menu !== null))
  const floating = <FolderPanel acts={actions} onGo={closeFolders} />
  return (
    <div className={styles.frame}>
      {!isNarrow && isShown && (
        <aside className={styles.side} aria-label="Folders">
          <FolderPanel acts={actions} onHide={() => showFolders(false, true)} />
        </aside>
      )}
      {isPhone && (
        <BottomSheet opened={isOpen} onClose={closeFolders} label="Folders">
          {floating}
        </BottomSheet>
      )}
      {isNarrow && !isPhone && (
        <SideDrawer opened={isOpen} onClose={closeFolders} label="Folders">
          {floating}
        </SideDrawer>
      )}
      <Outlet />
      {isMenuNeeded && <FolderMenu actions={actions} onTrash={actions.leave} />}
      {actions.dialogs}
    </div>
  )
}

/** The actions on folders of the tree. It has no room for an error strip, so errors are shown as toasts. */
function useTreeActions() {
  const navigate = useNavigate()
  const { folderId } = useParams({ strict: false })
  const actions = useItemActions(noItems, () => undefined)
  const { problem, dismissProblem } = actions
  // biome-ignore lint/correctness/useExhaustiveDependencies: each problem is told once
  useEffect(() => {
    if (problem === null) return
    showError(`${problem.title}. ${problem.reason}`)
    dismissProblem()
  }, [problem])

  /** Goes to the parent when the folder on screen, or one around it, is about to be deleted. */
  const leave = ({ id, parent_id }: FileItem) => {
    const trail = folderId === undefined ? [] : (subfoldersOf(Number(folderId))?.trail ?? [])
    if (!trail.some(step => step.id === id)) return
    void navigate({
      to: '/files/{-$folderId}',
      params: { folderId: parent_id === null ? undefined : String(parent_id) },
      replace: true,
    })
  }
  return { ...actions, leave }
}

/** `[` shows and hides the tree. Some keyboards type it with AltGr, which sets Ctrl and Alt. */
function useToggleKey(isNarrow: boolean): void {
  useWindowEvent('keydown', event => {
    const { key, ctrlKey, altKey, metaKey, target, defaultPrevented } = event
    if (key !== '[' || metaKey || ctrlKey !== altKey || defaultPrevented) return
    if (isTyping(target)) return
    const { isShown, isOpen } = useFoldersPanel.getState()
    if (isPageBehind() && !isOpen) return
    event.preventDefault()
    if (!isNarrow) showFolders(!isShown, document.activeElement?.closest(`.${styles.side}`) instanceof Element)
    else if (isOpen) closeFolders()
    else openFolders()
  })
}
