/** One folder on its sheet: bars, list, footer, and what floats above them. */
import { useMemo, useState } from 'react'
import type { Breadcrumb, FileItem } from '../../../src/api/items.ts'
import { addUploads, openTray } from '../../lib/uploads.ts'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { useFileChooser } from '../../ui/file-chooser.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useWindowFileDrop } from '../../ui/use-file-drop.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { FolderContent } from './folder-content.tsx'
import { Footer } from './footer.tsx'
import { NewFolderDialog } from './new-folder-dialog.tsx'
import { PhoneBottom, PhoneSort, PhoneTop } from './phone-bars.tsx'
import { Toolbar } from './toolbar.tsx'
import { type Problem, useItemActions } from './use-item-actions.tsx'
import { useItemDrag } from './use-item-drag.ts'
import { useRowFocus } from './use-row-focus.ts'
import { useSelection } from './use-selection.ts'

/** A folder as far as it is loaded. */
export interface Folder {
  /** Null is the root. */
  id: number | null
  parentId: number | null
  name: string
  path: string
  trail: readonly Breadcrumb[]
  items: readonly FileItem[]
  total: number
  totalFolders: number
}

interface FolderViewProps {
  /** The folder of the address; the one shown may still be the last. */
  folderId: number | null
  folder: Folder | null
  isWaiting: boolean
  problem: Problem | null
  dismiss: () => void
  reload: () => void
  loadMore: () => void
  startId: number | null
  /** Goes to a folder; `focus` says where the keyboard is to be there, null that it is not used. */
  onGo: (folderId: number | null, focus: number | 'first' | null) => void
}

const nothing: readonly FileItem[] = []

export function FolderView(props: FolderViewProps) {
  const { folderId, folder, isWaiting, problem, onGo } = props
  const items = folder?.items ?? nothing
  const isPhone = usePhone()
  const selection = useSelection(items)
  const focus = useRowFocus(items, props.startId)
  const actions = useItemActions(focus.leave)
  const drag = useItemDrag(actions.move)
  const [isMaking, setMaking] = useState(false)
  const upload = (files: File[]) => addUploads(files, folderId)
  const isOver = useWindowFileDrop(upload)
  const chooser = useFileChooser(upload)

  const bars = {
    breadcrumbs: <Breadcrumbs trail={folder?.trail ?? null} drag={drag} onGo={id => onGo(id, null)} />,
    onRefresh: props.reload,
    onNewFolder: () => setMaking(true),
    onUpload: () => {
      openTray()
      chooser.open()
    },
  }
  const counts = useMemo(
    () => (folder === null || isWaiting ? null : { total: folder.total, folders: folder.totalFolders }),
    [folder, isWaiting],
  )
  return (
    <Sheet title={folder?.name ?? 'Files'} data-over={isOver || undefined}>
      {isPhone ? <PhoneTop selection={selection} {...bars} /> : <Toolbar {...bars} />}
      {problem && <ErrorStrip {...problem} onRetry={props.reload} onDismiss={props.dismiss} />}
      {actions.problem && <ErrorStrip {...actions.problem} onDismiss={actions.dismissProblem} />}
      {isPhone && <PhoneSort />}
      <FolderContent {...props} {...{ items, selection, actions, focus, drag }} {...bars} />
      <Footer counts={counts} path={folder?.path ?? ''} />
      {isPhone && <PhoneBottom selection={selection} actions={actions} {...bars} />}
      <NewFolderDialog
        opened={isMaking}
        parentId={folderId}
        onClose={() => setMaking(false)}
        onCreated={created => focus.focusItem(created.id)}
      />
      {chooser.input}
    </Sheet>
  )
}
