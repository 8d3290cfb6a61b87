/** The dialog that picks a folder: the user browses folders and selects the open one. */
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import type { Breadcrumb } from '../../src/api/items.ts'
import { subfoldersQuery } from '../lib/data/subfolders.ts'
import { Dialog } from '../ui/dialog.tsx'
import { DialogActions } from '../ui/dialog-actions.tsx'
import { MiddleText } from '../ui/middle-text.tsx'
import { usePainted } from '../ui/use-painted.ts'
import { usePhone } from '../ui/use-phone.ts'
import type { Destination } from './destination.ts'
import styles from './folder-picker.module.css'
import { PickerList } from './picker/picker-list.tsx'
import { PickerTrail } from './picker/picker-trail.tsx'

interface FolderPickerProps {
  title: string
  description: string
  /** The folder shown first; null is the root. */
  startId: number | null
  /** Folders that are not listed and cannot be opened. */
  excludedIds?: readonly number[]
  /** Why a folder cannot be selected; null when it can. */
  refusalOf?: (folderId: number | null) => string | null
  onClose: () => void
  /** Called with the selected folder; id null is the root. */
  onSelect: (folder: Destination) => void
}

/** The folder that is open in the picker. */
interface Place {
  id: number | null
  /** Its path, as far as it is known before the folder has loaded. */
  trail: readonly Breadcrumb[]
  /** The folder that the user came from, which gets the focus; null focuses the first. */
  cameFrom: number | null
}

export function FolderPicker({ title, onClose, ...rest }: FolderPickerProps) {
  useFocusReturn()
  return (
    <Dialog opened onClose={onClose} title={title} size={520}>
      <PickerForm onClose={onClose} {...rest} />
    </Dialog>
  )
}

/** Returns the focus to its previous element. Selecting a folder unmounts the dialog, so it cannot do so itself. */
function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
}

const pathOf = (trail: readonly Breadcrumb[]): string => trail.at(-1)?.path ?? '/'

/** Cutting a path always keeps its last step. */
function splitPath(path: string): { head: string; tail: string } {
  const start = path.lastIndexOf('/')
  return { head: `Current location: ${path.slice(0, start)}`, tail: path.slice(start) }
}

type FormProps = Omit<FolderPickerProps, 'title'>

function PickerForm({ description, startId, excludedIds = [], refusalOf, onClose, onSelect }: FormProps) {
  const [place, setPlace] = useState<Place>({ id: startId, trail: [], cameFrom: null })
  const folders = useQuery(subfoldersQuery(place.id))
  const size = usePhone() ? 'lg' : 'sm'
  const hintId = useId()
  // Show the dialog before its folders: rendering both at once takes too long on a slow machine.
  const isPainted = usePainted()
  const trail = folders.data?.trail ?? place.trail
  const refusal = refusalOf?.(place.id) ?? null

  const enter = (folder: { id: number; name: string }) => {
    const step = { id: folder.id, name: folder.name, path: `${pathOf(trail).replace(/\/$/, '')}/${folder.name}` }
    setPlace({ id: folder.id, trail: [...trail, step], cameFrom: null })
  }
  /** Goes back to a parent folder; `steps` is its depth below the root. */
  const goBack = (steps: number) => {
    const kept = trail.slice(0, steps)
    setPlace({ id: kept.at(-1)?.id ?? null, trail: kept, cameFrom: trail[steps]?.id ?? null })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isUp = event.key === 'Backspace' || event.key === 'ArrowLeft'
    if (!isUp || trail.length === 0 || event.target instanceof HTMLInputElement) return
    event.preventDefault()
    goBack(trail.length - 1)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that the lists and buttons in it let pass
    <div onKeyDown={onKeyDown}>
      <p className={styles.description} title={description}>
        {description}
      </p>
      <PickerTrail trail={trail} onGo={goBack} />
      <div className={styles.location} title={pathOf(trail)} aria-live="polite">
        <MiddleText {...splitPath(pathOf(trail))} />
      </div>
      <PickerList
        key={place.id}
        folderId={place.id}
        query={folders}
        isHeld={!isPainted}
        excludedIds={excludedIds}
        startAt={place.cameFrom}
        onEnter={enter}
      />
      <div className={styles.foot}>
        <p id={hintId} className={styles.hint} aria-live="polite">
          {refusal}
        </p>
        <DialogActions>
          <Button variant="default" size={size} onClick={onClose}>
            Cancel
          </Button>
          <Button
            size={size}
            disabled={refusal !== null || folders.data === undefined}
            aria-describedby={refusal === null ? undefined : hintId}
            onClick={() => onSelect({ id: place.id, name: trail.at(-1)?.name ?? 'Home' })}
          >
            Select This Location
          </Button>
        </DialogActions>
      </div>
    </div>
  )
}
