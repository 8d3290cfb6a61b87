/** A checkbox without a visible label, light enough for every row of a long list. */
import styles from './check.module.css'

interface CheckProps {
  /** The id for a separate label element. */
  id?: string
  label: string
  checked: boolean
  indeterminate?: boolean
  disabled?: boolean
  tabIndex?: number
  onChange: (event: { shiftKey: boolean }) => void
}

export function Check({ id, label, checked, indeterminate = false, disabled, tabIndex, onChange }: CheckProps) {
  return (
    <input
      ref={element => {
        if (element !== null) element.indeterminate = indeterminate
      }}
      id={id}
      type="checkbox"
      className={styles.check}
      aria-label={label}
      checked={checked}
      disabled={disabled}
      tabIndex={tabIndex}
      onClick={event => {
        event.stopPropagation()
        onChange(event)
      }}
      onChange={() => undefined}
    />
  )
}
