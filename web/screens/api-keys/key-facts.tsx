/** A key's state, limits and permissions, shared by table and boxes. */
import { Popover, UnstyledButton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasEndedMaker, isExpired } from '../../../src/api/key-state.ts'
import type { ApiKey } from '../../../src/api/keys.ts'
import { defaultRateLimits } from '../../../src/api/limits.ts'
import { permissionCatalogue } from '../../../src/api/permissions.ts'
import { keysQuery } from '../../lib/data/keys.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { Badge } from '../../ui/badge.tsx'
import styles from './key-facts.module.css'
import { useScope } from './key-scope.tsx'

/** A key's relation to the user's other keys. */
function useKeyState(apiKey: ApiKey) {
  const { data: keys = [] } = useQuery(keysQuery)
  const maker = keys.find(({ id }) => id === apiKey.made_by)
  return { maker, isMakerEnded: hasEndedMaker(apiKey, keys) }
}

/** Whether the server accepts the key, and there is something for it to reach. */
export function useUsable(apiKey: ApiKey): boolean {
  const { isMakerEnded } = useKeyState(apiKey)
  const isGone = useScope(apiKey)?.isGone === true
  return !isGone && apiKey.is_active && !isExpired(apiKey) && !isMakerEnded
}

export function KeyBadges({ apiKey }: { apiKey: ApiKey }) {
  const { maker, isMakerEnded } = useKeyState(apiKey)
  const isUsable = useUsable(apiKey)
  return (
    <>
      {apiKey.kind === 'device' && <Badge>Device</Badge>}
      {maker !== undefined && <Badge hint={`made by ${maker.name}, and ends with it`}>By key</Badge>}
      {isExpired(apiKey) && <Badge tone="danger">Expired</Badge>}
      {!apiKey.is_active && <Badge tone="warning">Disabled</Badge>}
      {isMakerEnded && (
        <Badge tone="warning" hint="the key that made it is disabled, has expired or is gone">
          Maker ended
        </Badge>
      )}
      {isUsable && <Badge tone="success">Active</Badge>}
    </>
  )
}

/** The effective limits: the key's own, else the defaults; null for keys without limits. */
export function limitsOf(key: ApiKey): [minute: string, hour: string, day: string] | null {
  if (key.kind === 'device') return null
  const text = (own: number | null, other: number) => (own ?? other).toLocaleString('en-US')
  return [
    text(key.rate_limit_per_minute, defaultRateLimits.minute),
    text(key.rate_limit_per_hour, defaultRateLimits.hour),
    text(key.rate_limit_per_day, defaultRateLimits.day),
  ]
}

const countOf = ({ permissions }: ApiKey): string =>
  permissions.length === 1 ? '1 permission' : `${permissions.length} permissions`

/** The number of permissions, as a button that opens the whole list. */
export function KeyPermissions({ apiKey, isCounted = false }: { apiKey: ApiKey; isCounted?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const own = useAuth(({ user }) => user?.permissions) ?? []
  const [first, ...others] = apiKey.permissions
  const isAll = own.every(permission => apiKey.permissions.includes(permission))
  const isCode = !isAll && !isCounted
  const more = isCode && others.length > 0 ? `+${others.length}` : ''
  // What a person reads on the button is part of its name, so that it can be said to press it.
  const shown = isAll ? 'All of yours, ' : isCode ? `${first}${more}, ` : ''
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-start"
      shadow="none"
      withinPortal
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <UnstyledButton
          className={styles.permissions}
          data-code={isCode || undefined}
          aria-label={`${shown}${countOf(apiKey)} of ${apiKey.name}`}
          onClick={() => setOpen(!isOpen)}
          // The list gets Escape only after the focus has moved into it.
          onKeyDown={event => {
            if (event.key === 'Escape') setOpen(false)
          }}
        >
          {isAll && 'All of yours'}
          {isCounted && !isAll && countOf(apiKey)}
          {isCode && first}
          {more !== '' && <span className={styles.more}>{more}</span>}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown className={styles.list} aria-label={`Permissions of ${apiKey.name}`}>
        <ul>
          {apiKey.permissions.map(permission => (
            <li key={permission}>
              <code>{permission}</code>
              <span>
                {permissionCatalogue.find(({ key }) => key === permission)?.name}
                {!own.includes(permission) && ', which you have no longer'}
              </span>
            </li>
          ))}
        </ul>
      </Popover.Dropdown>
    </Popover>
  )
}
