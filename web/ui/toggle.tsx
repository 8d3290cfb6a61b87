/** A switch that takes effect immediately, without a visible label of its own. */
import { useState } from 'react'
import styles from './toggle.module.css'

interface ToggleProps {
  /** For visible labels elsewhere, which turn it when they are clicked. */
  id?: string
  label: string
  /** The ids of the elements that explain it, and say why it is disabled. */
  describedBy?: string
  checked: boolean
  disabled?: boolean
  /** A tooltip. */
  title?: string
  onChange: (isOn: boolean) => void
}

export function Toggle({ label, describedBy, checked, onChange, ...rest }: ToggleProps) {
  // The cache updates a moment later; until then show the new state from here.
  const [turned, setTurned] = useState<boolean | null>(null)
  const isOn = turned ?? checked
  const turn = (next: boolean) => {
    setTurned(next)
    onChange(next)
    setTimeout(() => setTurned(null))
  }
  return (
    <input
      {...rest}
      type="checkbox"
      role="switch"
      aria-checked={isOn}
      checked={isOn}
      className={styles.toggle}
      aria-label={label}
      aria-describedby={describedBy}
      onChange={event => turn(event.currentTarget.checked)}
    />
  )
}
