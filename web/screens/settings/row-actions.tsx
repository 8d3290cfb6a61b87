/** The actions on a row of a table: icons on the desktop, a menu on the phone. */
import { type Icon, IconDotsVertical } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuPlace } from '../../ui/menu-props.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './row-actions.module.css'

interface RowAction {
  label: string
  icon: Icon
  tone?: 'danger'
  /** Why the action is unavailable. */
  reason?: string
  run: () => void
}

interface RowActionsProps {
  /** The name of the row's subject. */
  name: string
  actions: readonly RowAction[]
}

export function RowActions({ name, actions }: RowActionsProps) {
  return usePhone() ? (
    <MenuButton name={name} actions={actions} />
  ) : (
    <span className={styles.actions}>
      {actions.map(({ label, icon, reason, run }) => (
        <IconButton
          key={label}
          label={reason === undefined ? `${label} ${name}` : `${label} ${name}: ${reason}`}
          title={reason ?? label}
          icon={icon}
          disabled={reason !== undefined}
          onClick={run}
        />
      ))}
    </span>
  )
}

function MenuButton({ name, actions }: RowActionsProps) {
  const button = useRef<HTMLElement>(null)
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const offered = actions.filter(({ reason }) => reason === undefined)
  const reasons = new Set(actions.flatMap(({ reason }) => reason ?? []))
  return (
    <>
      <IconButton
        label={`Actions for ${name}`}
        icon={IconDotsVertical}
        iconSize={20}
        size="lg"
        onClick={({ currentTarget }) => {
          button.current = currentTarget
          setPlace(currentTarget.getBoundingClientRect())
        }}
      />
      <ActionMenu
        place={place}
        groups={offered.length === 0 ? [] : [offered]}
        label={name}
        head={
          <>
            {name}
            {[...reasons].map(reason => (
              <p key={reason} className={styles.reason}>
                {reason}
              </p>
            ))}
          </>
        }
        onClose={() => {
          setPlace(null)
          button.current?.focus()
        }}
      />
    </>
  )
}
