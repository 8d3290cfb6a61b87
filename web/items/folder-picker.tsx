/** The dialog that picks a folder: the user browses folders and selects the open one. */
import { Button } from '@mantine/core'
import { type KeyboardEvent, useId } from 'react'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { MiddleText } from '../ui/middle-text.tsx'
import { usePainted } from '../ui/use-painted.ts'
import { usePhone } from '../ui/use-phone.ts'
import type { Destination } from './destination.ts'
import styles from './folder-picker.module.css'
import { PickerList } from './picker/picker-list.tsx'
import { PickerPlaces } from './picker/picker-places.tsx'
import { PickerTrail } from './picker/picker-trail.tsx'
import { usePicker } from './picker/use-picker.ts'
import { pathIn } from './place.ts'
import { useFolderRights } from './rights.ts'

interface FolderPickerProps {
  title: string
  description: string
  /** The folder shown first; null is the root. */
  startId: number | null
  /** Folders that are not listed and cannot be opened. */
  excludedIds?: readonly number[]
  /** Why a folder cannot be selected; null when it can. */
  refusalOf?: (folderId: number | null, folder: Destination) => string | null
  /** What selecting a folder means besides; null when there is nothing to say. */
  noteOf?: (folder: Destination) => string | null
  onClose: () => void
  /** Called with the selected folder; id null is the root. */
  onSelect: (folder: Destination) => void
}

export function FolderPicker({ title, onClose, ...rest }: FolderPickerProps) {
  return (
    <Dialog opened onClose={onClose} title={title} size={520}>
      <PickerForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

/** Cutting a path always keeps its last step. */
function splitPath(path: string): { head: string; tail: string } {
  const start = Math.max(0, path.lastIndexOf('/'))
  return { head: `Current location: ${path.slice(0, start)}`, tail: path.slice(start) }
}

type FormProps = Omit<FolderPickerProps, 'title'>

function PickerForm({ description, startId, excludedIds = [], refusalOf, noteOf, onClose, onSelect }: FormProps) {
  const picker = usePicker(startId)
  const { folder, steps, folders, places } = picker
  const size = usePhone() ? 'lg' : 'sm'
  const hintId = useId()
  // Show the dialog before its folders: rendering both at once takes too long on a slow machine.
  const isPainted = usePainted()
  const mayMake = useFolderRights()(folder?.may ?? null).makeFolder
  const refusal = folder === null ? 'Choose one of these places.' : (refusalOf?.(folder.id, folder) ?? null)
  const hint = refusal ?? (folder && noteOf?.(folder)) ?? null

  const onKeyDown = (event: KeyboardEvent) => {
    const isUp = event.key === 'Backspace' || event.key === 'ArrowLeft'
    if (!isUp || !picker.canGoUp || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    picker.goUp()
  }
  const path = folder === null ? 'All places' : pathIn(folder.place, picker.path)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that the lists and buttons in it let pass
    <div onKeyDown={onKeyDown}>
      <p className={styles.description} title={description}>
        {description}
      </p>
      <PickerTrail steps={steps} hasPlaces={places !== null} onGo={picker.goTo} onPlaces={picker.showPlaces} />
      <div className={styles.location} title={path} aria-live="polite">
        <MiddleText {...splitPath(path)} />
      </div>
      {folder === null && places !== null ? (
        <PickerPlaces places={places} startAt={picker.cameFrom} onEnter={picker.enter} />
      ) : (
        <PickerList
          key={folder?.id}
          folderId={folder?.id ?? null}
          mayMake={mayMake}
          query={folders}
          isHeld={!isPainted}
          excludedIds={excludedIds}
          startAt={picker.cameFrom}
          onEnter={picker.enter}
        />
      )}
      <div className={styles.foot}>
        <p id={hintId} className={styles.hint} aria-live="polite">
          {hint}
        </p>
        <DialogActions>
          <Button variant="default" size={size} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size={size}
            disabled={folder === null || refusal !== null || folders.data === undefined}
            aria-describedby={hint === null ? undefined : hintId}
            onClick={() => folder && onSelect(folder)}
          >
            Select This Location
          </Button>
        </DialogActions>
      </div>
    </div>
  )
}
