/** A folder on its sheet: bars, list, footer, and what floats above them. */

import { useNavigate } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import type { Breadcrumb, FileItem, PlaceAbilities } from '../../../src/api/items.ts'
import { isPlaceRoot } from '../../../src/api/places.ts'
import type { Problem } from '../../items/actions/use-problem.ts'
import { home, labelOf } from '../../items/destination.ts'
import { PhoneSort } from '../../items/list/head/phone-sort.tsx'
import { ItemList } from '../../items/list/item-list.tsx'
import { ListPane } from '../../items/list/list-pane.tsx'
import type { Listing } from '../../items/list/listing.ts'
import { useListState } from '../../items/list/use-list-state.ts'
import { pathIn } from '../../items/place.ts'
import { listOf } from '../../items/place-routes.ts'
import { useFolderRights } from '../../items/rights.ts'
import { lazyPart } from '../../lib/server/lazy-part.ts'
import { whenQuiet } from '../../lib/server/when-quiet.ts'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { useStable } from '../../ui/use-stable.ts'
import { Breadcrumbs } from './breadcrumbs.tsx'
import styles from './folder-view.module.css'
import { Footer } from './footer.tsx'
import { PhoneBottom, PhoneTop } from './phone-bars.tsx'
import { useTeamTrash } from './team-trash.ts'
import { Toolbar } from './toolbar.tsx'
import { useShown } from './use-shown.ts'
import { useUploading } from './use-uploading.ts'

/** Fetched once a list is ready, because most folders have items and are no drop boxes. */
const EmptyFolder = lazyPart(
  () => import('./empty-folder.tsx'),
  'EmptyFolder',
  () => <div className={styles.blank} />,
)
const DropBoxNote = lazyPart(() => import('./drop-box-note.tsx'), 'DropBoxNote')

const homeTrail: readonly Breadcrumb[] = []

/** A folder without its items. */
export interface Folder {
  /** Null at the root. */
  self: FileItem | null
  path: string
  trail: readonly Breadcrumb[]
  may: PlaceAbilities
  /** How many files of others wait here for approval; null if the user is not told. */
  held: number | null
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
  const may = useFolderRights()(folder?.may ?? null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each folder made
  useEffect(() => {
    if (createdId !== null) focus.focusItem(createdId)
  }, [createdId])

  const self = folder?.self ?? null
  const isOfAddress = folder !== null && (self?.id ?? null) === folderId
  const label = labelOf(self ?? home)
  const uploading = useUploading({ id: folderId, name: isOfAddress ? label : null }, may.upload)
  useShown(focus, isOfAddress)
  useEffect(() => void whenQuiet().then(EmptyFolder.fetch), [])

  const navigate = useNavigate()
  const place = self?.place ?? null
  const up = (from: FileItem) =>
    isPlaceRoot(from) && place ? void navigate({ to: listOf(place).to }) : onGo(from.parent_id, from.id)
  // Stable functions, so that the parts around the list do not render again on every key.
  const on = useStable({
    refresh: props.reload,
    newFolder: props.onNewFolder,
    upload: uploading.chooseFiles,
    uploadFolder: uploading.chooseFolder,
    go: (id: number | null) => onGo(id, null),
  })
  // That the address shows Home is known before its items.
  const trail = folder?.trail ?? (folderId === null ? homeTrail : null)
  const isDropBox = folder !== null && !folder.may.see
  const bars = {
    breadcrumbs: useMemo(
      () => <Breadcrumbs folder={self} trail={trail} drag={drag} onGo={on.go} />,
      [self, trail, drag, on],
    ),
    onRefresh: on.refresh,
    trash: useTeamTrash(place),
    onNewFolder: may.makeFolder ? on.newFolder : undefined,
    onUpload: may.upload ? on.upload : undefined,
    // Folders inside a drop box would not be seen again.
    onUploadFolder: may.makeFolder ? on.uploadFolder : undefined,
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
      {isDropBox && total > 0 && <DropBoxNote />}
      {isPhone && <PhoneSort middle="type" isSortable />}
      <ListPane state={state} folder={self}>
        <ItemList
          state={state}
          middle="type"
          hasOwners={place !== null && !isDropBox}
          isSortable
          isWaiting={isWaiting}
          isStale={props.isStale}
          empty={
            folder === null ? (
              <div className={styles.blank} />
            ) : (
              <EmptyFolder isDropBox={isDropBox} held={folder.held} {...bars} />
            )
          }
          onOpenFolder={({ id }, by) => onGo(id, by === 'keyboard' ? 'first' : null)}
          onUp={self === null ? undefined : () => up(self)}
          onShare={self !== null && actions.mayOn([self]).openShare ? () => actions.share(self) : undefined}
          {...bars}
        />
        <Footer counts={counts} held={folder?.held ?? null} path={folder === null ? '' : pathIn(place, folder.path)} />
      </ListPane>
      {isPhone && <PhoneBottom state={state} {...bars} />}
      {uploading.isOver && (
        <p className={styles.drop} data-drop-hint>
          {/* Dropped files go into the folder of the address, even while another is shown. */}
          {isOfAddress ? (
            <>
              Drop to upload into <bdi>{label}</bdi>
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
