/** What a key is and may do, as table and boxes both show it. */
import { Popover, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import type { ApiKey } from '../../../src/api/keys.ts'
import { defaultRateLimits } from '../../../src/api/limits.ts'
import { permissionCatalogue } from '../../../src/api/permissions.ts'
import { useAuth } from '../../lib/auth-store.ts'
import { Badge } from '../../ui/badge.tsx'
import styles from './key-facts.module.css'

const isExpired = ({ expires_at }: ApiKey, now = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) <= now

/** Whether requests with the key are answered. */
export const isUsable = (key: ApiKey): boolean => key.is_active && !isExpired(key)

export function KeyBadges({ apiKey }: { apiKey: ApiKey }) {
  return (
    <>
      {apiKey.kind === 'device' && <Badge>Device</Badge>}
      {isExpired(apiKey) && <Badge tone="danger">Expired</Badge>}
      {!apiKey.is_active && <Badge tone="warning">Disabled</Badge>}
      {isUsable(apiKey) && <Badge tone="success">Active</Badge>}
    </>
  )
}

/** The limits in force: a key's own, else the defaults; null for keys without any. */
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

/** How many permissions in a few words, behind which the whole list opens. */
export function KeyPermissions({ apiKey, isCounted = false }: { apiKey: ApiKey; isCounted?: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const own = useAuth(({ user }) => user?.permissions) ?? []
  const [first, ...others] = apiKey.permissions
  const isAll = own.every(permission => apiKey.permissions.includes(permission))
  const isCode = !isAll && !isCounted
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
          aria-label={`${countOf(apiKey)} of ${apiKey.name}`}
          onClick={() => setOpen(!isOpen)}
          // The list itself hears Escape only once the focus has come to it.
          onKeyDown={event => {
            if (event.key === 'Escape') setOpen(false)
          }}
        >
          {isAll && 'All of yours'}
          {isCounted && !isAll && countOf(apiKey)}
          {isCode && first}
          {isCode && others.length > 0 && <span className={styles.more}>+{others.length}</span>}
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
