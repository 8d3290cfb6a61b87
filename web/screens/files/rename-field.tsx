/** An item's name while it is being changed. */
import { useEffect, useRef } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { splitName } from '../../../src/api/names.ts'
import styles from './rename-field.module.css'

interface RenameFieldProps {
  item: FileItem
  /** Called once, with the new name, or null when nothing is to change. */
  onEnd: (name: string | null) => void
}

/** Enter and losing the focus save, Escape cancels; an empty or unchanged name cancels too. */
export function RenameField({ item, onEnd }: RenameFieldProps) {
  const ref = useRef<HTMLInputElement>(null)
  const isOver = useRef(false)
  useEffect(() => {
    ref.current?.focus()
    // The extension stays out of it: a new name seldom means another type.
    ref.current?.setSelectionRange(0, splitName(item.name, item.is_directory).stem.length)
  }, [item])

  const end = (name: string | null) => {
    if (isOver.current) return
    isOver.current = true
    onEnd(name === null || name.trim() === '' || name === item.name ? null : name)
  }
  return (
    <input
      ref={ref}
      className={styles.field}
      aria-label={`New name for ${item.name}`}
      defaultValue={item.name}
      spellCheck={false}
      autoComplete="off"
      dir="auto"
      onBlur={event => end(event.currentTarget.value)}
      onClick={event => event.stopPropagation()}
      onDoubleClick={event => event.stopPropagation()}
      onKeyDown={event => {
        event.stopPropagation()
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) end(event.currentTarget.value)
        if (event.key === 'Escape') end(null)
      }}
    />
  )
}
