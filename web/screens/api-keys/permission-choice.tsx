/** The permissions of a new key: those that the server offers, one by one or all. */
import { Button, Checkbox } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { Permission } from '../../../src/api/permissions.ts'
import { keyPermissionsQuery } from '../../lib/data/keys.ts'
import { reasonOf } from '../../lib/server/call.ts'
import styles from './permission-choice.module.css'

interface PermissionChoiceProps {
  /** The permissions that the key can have at all; undefined: any. */
  among?: readonly Permission[]
  chosen: ReadonlySet<Permission>
  onChange: (chosen: ReadonlySet<Permission>) => void
  error: string | null
}

export function PermissionChoice({ among, chosen, onChange, error }: PermissionChoiceProps) {
  const { data = [], error: failure, refetch } = useQuery(keyPermissionsQuery)
  const offered = data.filter(({ key }) => among?.includes(key) ?? true)
  const isAll = offered.length > 0 && chosen.size === offered.length
  const toggle = (key: Permission) =>
    onChange(new Set(chosen.has(key) ? [...chosen].filter(other => other !== key) : [...chosen, key]))
  return (
    <fieldset className={styles.choice} aria-describedby={error === null ? undefined : 'permissions-error'}>
      <legend className={styles.legend}>
        Permissions{' '}
        <span className={styles.asterisk} aria-hidden>
          *
        </span>
      </legend>
      <div className={styles.box} data-error={error !== null || undefined}>
        <Checkbox
          className={styles.all}
          label="Select all"
          checked={isAll}
          indeterminate={!isAll && chosen.size > 0}
          disabled={offered.length === 0}
          onChange={() => onChange(new Set(isAll ? [] : offered.map(({ key }) => key)))}
        />
        <div className={styles.list}>
          {offered.map(({ key, name, description }) => (
            <Checkbox
              key={key}
              label={
                <>
                  <span className={styles.name}>{name}</span> <code className={styles.key}>{key}</code>
                </>
              }
              description={description}
              checked={chosen.has(key)}
              onChange={() => toggle(key)}
            />
          ))}
          {failure && (
            <p className={styles.failure} role="alert">
              Failed to load permissions. {reasonOf(failure)}
              <Button variant="subtle" size="xs" onClick={() => void refetch()}>
                Retry
              </Button>
            </p>
          )}
        </div>
      </div>
      {error !== null && (
        <p id="permissions-error" className={styles.error} role="alert">
          {error}
        </p>
      )}
    </fieldset>
  )
}
