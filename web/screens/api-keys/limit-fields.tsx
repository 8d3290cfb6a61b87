/** The optional rate limits of a new key; an empty field shows the default. */
import { type MantineSize, TextInput } from '@mantine/core'
import styles from './limit-fields.module.css'
import { defaultText, type LimitTexts, windowProblem, windows } from './limits.ts'

interface LimitFieldsProps {
  limits: LimitTexts
  onChange: (limits: LimitTexts) => void
  size: MantineSize
}

export function LimitFields({ limits, onChange, size }: LimitFieldsProps) {
  return (
    <fieldset className={styles.fields}>
      <legend className={styles.legend}>
        Rate limits <span>(optional)</span>
      </legend>
      {windows.map(window => (
        <TextInput
          key={window}
          label={`Per ${window}`}
          inputMode="numeric"
          placeholder={defaultText(window)}
          value={limits[window]}
          onChange={event => onChange({ ...limits, [window]: event.currentTarget.value })}
          error={windowProblem(window, limits[window])}
          errorProps={{ role: 'alert' }}
          size={size}
          autoComplete="off"
        />
      ))}
    </fieldset>
  )
}
