/** A choice of one colour: round swatches with names. */
import { useId } from 'react'
import styles from './color-choice.module.css'

interface ColorChoiceProps {
  /** The name of the whole group. */
  label: string
  colors: readonly { name: string; value: string }[]
  /** The current colour, which need not be in the list. */
  value: string
  onChange: (color: string) => void
}

export function ColorChoice({ label, colors, value, onChange }: ColorChoiceProps) {
  const group = useId()
  return (
    <fieldset className={styles.choice}>
      <legend className={styles.legend}>{label}</legend>
      {colors.map(color => (
        <input
          key={color.value}
          type="radio"
          name={group}
          className={styles.swatch}
          style={{ color: color.value }}
          aria-label={color.name}
          title={color.name}
          checked={color.value === value.toUpperCase()}
          onChange={() => onChange(color.value)}
        />
      ))}
    </fieldset>
  )
}
