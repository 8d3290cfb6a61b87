/** A choice of one colour: round swatches, each with its name. */
import { useId } from 'react'
import styles from './color-choice.module.css'

interface ColorChoiceProps {
  /** The name of the whole choice. */
  label: string
  colors: readonly { name: string; value: string }[]
  /** The colour in force, which need not be one of them. */
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
