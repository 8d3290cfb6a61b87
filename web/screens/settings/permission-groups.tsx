/** The permissions by category, in two columns; a category's heading selects all or none of it. */
import { Button } from '@mantine/core'
import type { Permission } from '../../../src/api/permissions.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { Check } from '../../ui/check.tsx'
import styles from './permission-groups.module.css'
import type { PermissionEntry } from './role-changes.ts'

interface PermissionGroupsProps {
  permissions: readonly PermissionEntry[]
  chosen: ReadonlySet<Permission>
  /** Why the permissions cannot be changed; undefined when they can. */
  lock: string | undefined
  onChange: (chosen: ReadonlySet<Permission>) => void
}

interface Group {
  category: string
  entries: PermissionEntry[]
}

/** The categories, largest first, so that the two columns are about equally high. */
function groupsOf(permissions: readonly PermissionEntry[]): Group[] {
  const groups = new Map<string, PermissionEntry[]>()
  for (const entry of permissions) groups.set(entry.category, [...(groups.get(entry.category) ?? []), entry])
  return [...groups]
    .map(([category, entries]) => ({ category, entries }))
    .sort((a, b) => b.entries.length - a.entries.length)
}

export function PermissionGroups({ permissions, chosen, lock, onChange }: PermissionGroupsProps) {
  const held = useAuth(({ user }) => user?.permissions)
  const lacking = (key: Permission) => held?.includes(key) !== true
  const groups = groupsOf(permissions)
  const columns = [0, 1].map(side => groups.filter((_, index) => index % 2 === side))

  const set = (keys: readonly Permission[], isOn: boolean) => {
    const next = new Set(chosen)
    for (const key of keys) {
      if (isOn) next.add(key)
      else next.delete(key)
    }
    onChange(next)
  }

  return (
    <section aria-label="Permissions">
      <h2 className={styles.heading}>
        Permissions{' '}
        <span className={styles.count}>
          {chosen.size} of {permissions.length}
        </span>
      </h2>
      {lock && <p className={styles.note}>{lock}</p>}
      {lock === undefined && permissions.some(({ key }) => lacking(key)) && (
        <p className={styles.note}>Permissions that you lack cannot be given.</p>
      )}
      <div className={styles.columns}>
        {columns.map(column => (
          <div key={column[0]?.category ?? ''} className={styles.column}>
            {column.map(({ category, entries }) => (
              <GroupBox
                key={category}
                category={category}
                entries={entries}
                chosen={chosen}
                isLocked={lock !== undefined}
                lacking={lacking}
                onSet={set}
              />
            ))}
          </div>
        ))}
      </div>
    </section>
  )
}

interface GroupBoxProps extends Group {
  chosen: ReadonlySet<Permission>
  isLocked: boolean
  lacking: (key: Permission) => boolean
  onSet: (keys: readonly Permission[], isOn: boolean) => void
}

function GroupBox({ category, entries, chosen, isLocked, lacking, onSet }: GroupBoxProps) {
  const free = isLocked ? [] : entries.map(({ key }) => key).filter(key => !lacking(key))
  const count = entries.filter(({ key }) => chosen.has(key)).length
  const isFull = free.length > 0 && free.every(key => chosen.has(key))
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{category}</legend>
      <div className={styles.head}>
        <Check
          label={`All of ${category}`}
          checked={count === entries.length}
          indeterminate={count > 0 && count < entries.length}
          disabled={free.length === 0}
          onChange={() => onSet(free, !isFull)}
        />
        <span className={styles.category} aria-hidden>
          {category}
        </span>
        <span className={styles.count}>
          {count} of {entries.length}
        </span>
        {free.length > 0 && (
          <Button variant="subtle" size="xs" className={styles.all} onClick={() => onSet(free, !isFull)}>
            {isFull ? 'Deselect all' : 'Select all'}
          </Button>
        )}
      </div>
      {entries.map(({ key, name, description }) => {
        const reason = lacking(key) ? 'You lack this permission' : undefined
        return (
          <label
            key={key}
            htmlFor={`may-${key}`}
            className={styles.row}
            title={reason ?? description}
            data-faint={reason !== undefined}
          >
            <Check
              id={`may-${key}`}
              label={reason === undefined ? name : `${name}: ${reason}`}
              checked={chosen.has(key)}
              disabled={isLocked || reason !== undefined}
              onChange={() => onSet([key], !chosen.has(key))}
            />
            <span className={styles.name}>{name}</span>
            <code className={styles.key}>{key}</code>
          </label>
        )
      })}
    </fieldset>
  )
}
