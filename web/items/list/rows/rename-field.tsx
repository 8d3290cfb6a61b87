/** An item's name while the user renames it. */
import { useEffect, useRef } from 'react'
import type { FileItem } from '../../../../src/api/items.ts'
import { splitName } from '../../../../src/api/names.ts'
import styles from './rename-field.module.css'
import type { Renaming, RowEvents } from './row.ts'

interface RenameFieldProps {
  item: FileItem
  renaming: Renaming
  events: Pick<RowEvents, 'typeName' | 'endRename'>
}

/** Whether a field that reopens by itself may take the focus: only from the page itself or from the list. */
const mayTakeFocus = (field: HTMLElement): boolean => {
  const now = document.activeElement
  return now === null || now === document.body || field.closest('[role="grid"]')?.contains(now) === true
}

/**
 * Enter and losing the focus save, Escape cancels. An empty or unchanged name cancels too, and so does leaving a
 * refused name unchanged.
 */
export function RenameField({ item, renaming, events }: RenameFieldProps) {
  const ref = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  const { draft, refused } = renaming
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when the field opens
  useEffect(() => {
    const field = ref.current
    if (field === null || (refused !== null && !mayTakeFocus(field))) return
    field.focus()
    // Select the name without its extension: a new name seldom means another type.
    if (draft === null) field.setSelectionRange(0, splitName(item.name, item.is_directory).stem.length)
    else field.setSelectionRange(draft.length, draft.length)
  }, [])

  const end = (name: string | null, isByKey: boolean) => {
    if (isOver.current) return
    isOver.current = true
    events.endRename(item, name === null || name.trim() === '' || name === item.name ? null : name, isByKey)
  }
  return (
    <input
      ref={ref}
      className={styles.field}
      aria-label={`New name for ${item.name}`}
      aria-invalid={refused !== null || undefined}
      defaultValue={draft ?? item.name}
      spellCheck={false}
      autoComplete="off"
      dir="auto"
      onInput={event => events.typeName(item, event.currentTarget.value)}
      onBlur={({ currentTarget: { value } }) => end(value === refused ? null : value, false)}
      onClick={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) end(event.currentTarget.value, true)
        if (event.key === 'Escape') end(null, true)
      }}
    />
  )
}
