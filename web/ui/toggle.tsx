/** A switch that takes effect at once, without a visible label of its own. */
import { useState } from 'react'
import styles from './toggle.module.css'

interface ToggleProps {
  label: string
  /** The ids of the sentences that explain it, and say why it is disabled. */
  describedBy?: string
  checked: boolean
  disabled?: boolean
  /** A hint for the pointer. */
  title?: string
  onChange: (isOn: boolean) => void
}

export function Toggle({ label, describedBy, checked, onChange, ...rest }: ToggleProps) {
  // Caches tell of a change a moment later; until then the switch would stand as before.
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
