/** A checkbox without a visible label, light enough for every row of a long list. */
import styles from './check.module.css'

interface CheckProps {
  label: string
  checked: boolean
  indeterminate?: boolean
  tabIndex?: number
  onChange: (event: { shiftKey: boolean }) => void
}

export function Check({ label, checked, indeterminate = false, tabIndex, onChange }: CheckProps) {
  return (
    <input
      ref={element => {
        if (element !== null) element.indeterminate = indeterminate
      }}
      type="checkbox"
      className={styles.check}
      aria-label={label}
      checked={checked}
      tabIndex={tabIndex}
      onClick={event => {
        event.stopPropagation()
        onChange(event)
      }}
      onChange={() => undefined}
    />
  )
}
