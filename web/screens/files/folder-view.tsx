/** A folder on its sheet: bars, list, footer, and what floats above them. */
import { useEffect, useMemo } from 'react'
import type { Breadcrumb, FileItem } from '../../../src/api/items.ts'
import type { Problem } from '../../items/actions/use-problem.ts'
import { PhoneSort } from '../../items/list/head/phone-sort.tsx'
import { ItemList } from '../../items/list/item-list.tsx'
import { ListPane } from '../../items/list/list-pane.tsx'
import type { Listing } from '../../items/list/listing.ts'
import { useListState } from '../../items/list/use-list-state.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { useStable } from '../../ui/use-stable.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import { EmptyFolder } from './empty-folder.tsx'
import styles from './folder-view.module.css'
import { Footer } from './footer.tsx'
import { PhoneBottom, PhoneTop } from './phone-bars.tsx'
import { Toolbar } from './toolbar.tsx'
import { useShown } from './use-shown.ts'
import { useUploading } from './use-uploading.ts'

/** A folder without its items. */
export interface Folder {
  /** Null at the root. */
  self: FileItem | null
  path: string
  trail: readonly Breadcrumb[]
}

interface FolderViewProps {
  /** The folder in the address; the one shown may still be the previous. */
  folderId: number | null
  /** Null before anything has loaded. */
  folder: Folder | null
  listing: Listing
  isWaiting: boolean
  isStale: boolean
  problem: Problem | null
  dismiss: () => void
  reload: () => Promise<unknown>
  startId: number | null
  /** The folder just created, which gets the focus. */
  createdId: number | null
  onNewFolder: () => void
  /** Goes to a folder. `focus` is what gets the keyboard focus there; null when the pointer was used. */
  onGo: (folderId: number | null, focus: number | 'first' | null) => void
}

export function FolderView(props: FolderViewProps) {
  const { folderId, folder, listing, isWaiting, problem, createdId, onGo } = props
  const { total, folders } = listing
  const isPhone = usePhone()
  const state = useListState(listing, props.startId)
  const { actions, drag, focus } = state
  const mayUpload = useMay('files:upload')
  const uploading = useUploading(folderId, mayUpload)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each folder made
  useEffect(() => {
    if (createdId !== null) focus.focusItem(createdId)
  }, [createdId])

  const self = folder?.self ?? null
  const isOfAddress = folder !== null && (self?.id ?? null) === folderId
  useShown(focus, isOfAddress)

  const mayChange = actions.may.change
  // Stable functions, so that the parts around the list do not render again on every key.
  const on = useStable({
    refresh: props.reload,
    newFolder: props.onNewFolder,
    upload: uploading.chooseFiles,
    uploadFolder: uploading.chooseFolder,
    go: (id: number | null) => onGo(id, null),
  })
  const trail = folder?.trail ?? null
  const bars = {
    breadcrumbs: useMemo(() => <Breadcrumbs trail={trail} drag={drag} onGo={on.go} />, [trail, drag, on]),
    onRefresh: on.refresh,
    onNewFolder: mayChange ? on.newFolder : undefined,
    onUpload: mayUpload ? on.upload : undefined,
    onUploadFolder: on.uploadFolder,
  }
  const counts = useMemo(
    () => (folder === null || isWaiting ? null : { total, folders }),
    [folder, isWaiting, total, folders],
  )
  return (
    <Sheet title={self?.name ?? (folder === null ? 'Files' : 'Home')} data-over={uploading.isOver || undefined}>
      {isPhone ? <PhoneTop state={state} {...bars} /> : <Toolbar {...bars} />}
      {problem && <ErrorStrip {...problem} onRetry={props.reload} onDismiss={props.dismiss} />}
      {actions.problem && <ErrorStrip {...actions.problem} onDismiss={actions.dismissProblem} />}
      {isPhone && <PhoneSort middle="type" isSortable />}
      <ListPane state={state} folder={self}>
        <ItemList
          state={state}
          middle="type"
          isSortable
          isWaiting={isWaiting}
          isStale={props.isStale}
          empty={<EmptyFolder isKnown={folder !== null} {...bars} />}
          onOpenFolder={({ id }, by) => onGo(id, by === 'keyboard' ? 'first' : null)}
          onUp={self === null ? undefined : () => onGo(self.parent_id, self.id)}
          {...bars}
        />
        <Footer counts={counts} path={folder?.path ?? ''} />
      </ListPane>
      {isPhone && <PhoneBottom state={state} {...bars} />}
      {uploading.isOver && (
        <p className={styles.drop} data-drop-hint>
          {/* Dropped files go into the folder of the address, even while another is shown. */}
          {isOfAddress ? (
            <>
              Drop to upload into <bdi>{self?.name ?? 'Home'}</bdi>
            </>
          ) : (
            'Drop to upload'
          )}
        </p>
      )}
      {actions.dialogs}
    </Sheet>
  )
}
