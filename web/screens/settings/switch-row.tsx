/** A switch of the settings with its name and what it does. */
import { Toggle } from '../../ui/toggle.tsx'
import styles from './system-tab.module.css'

interface SwitchRowProps {
  /** Unique on the page. */
  id: string
  name: string
  explanation: string
  /** The name of the switch without which this one has no effect, while that is off. */
  blockedBy?: string
  /** Undefined while loading. */
  isOn: boolean | undefined
  /** Whether loading has taken long enough for a placeholder. */
  isWaiting: boolean
  onChange: (isOn: boolean) => void
}

export function SwitchRow({ id, name, explanation, blockedBy, isOn, isWaiting, onChange }: SwitchRowProps) {
  const isBlocked = blockedBy !== undefined
  return (
    <div className={styles.row}>
      <div>
        <h3 className={styles.name}>
          <label htmlFor={`${id}-switch`}>{name}</label>
        </h3>
        <p id={id} className={styles.explanation}>
          <label htmlFor={`${id}-switch`}>
            {explanation}
            {isBlocked && <span className={styles.reason}> Has no effect until ‘{blockedBy}’ is on.</span>}
          </label>
        </p>
      </div>
      {isOn === undefined ? (
        isWaiting && <span className={styles.skeleton} role="status" aria-label="Loading" />
      ) : (
        <Toggle
          id={`${id}-switch`}
          label={name}
          describedBy={id}
          checked={isOn}
          disabled={isBlocked}
          title={isBlocked ? `Turn on '${blockedBy}' first` : undefined}
          onChange={onChange}
        />
      )}
    </div>
  )
}
