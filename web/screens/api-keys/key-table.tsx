/** The keys as a table in wide windows. */
import { VisuallyHidden } from '@mantine/core'
import { IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import type { ApiKey } from '../../../src/api/keys.ts'
import { copyText } from '../../lib/local/copy-text.ts'
import { formatDay, formatFullDate, formatMoment } from '../../lib/words/format-date.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { KeyActions } from './key-actions.ts'
import { KeyBadges, KeyPermissions, limitsOf, useUsable } from './key-facts.tsx'
import { ScopeBadge } from './key-scope.tsx'
import styles from './key-table.module.css'

export const keyColumns = ['Name', 'Key ID', 'Permissions', 'Limits / min · h · day', 'Last used', 'Expires'] as const

export function KeyTable({ keys, actions }: { keys: readonly ApiKey[]; actions: KeyActions }) {
  return (
    <div className={styles.table} role="table" aria-label="API keys">
      <div className={styles.head} role="row">
        {keyColumns.map(column => (
          <span key={column} role="columnheader">
            {column}
          </span>
        ))}
        <span role="columnheader">
          <VisuallyHidden>Actions</VisuallyHidden>
        </span>
      </div>
      {keys.map(key => (
        <KeyRow key={key.id} apiKey={key} actions={actions} />
      ))}
    </div>
  )
}

function KeyRow({ apiKey, actions }: { apiKey: ApiKey; actions: KeyActions }) {
  const { name, key_id, last_used_at, expires_at, is_active } = apiKey
  const isUsable = useUsable(apiKey)
  return (
    <div className={styles.row} role="row" aria-label={name} data-off={!isUsable || undefined}>
      <div role="cell" className={styles.name}>
        <span className={styles.text} title={name} dir="auto">
          {name}
        </span>
        <ScopeBadge apiKey={apiKey} />
        <KeyBadges apiKey={apiKey} />
      </div>
      <div role="cell" className={styles.id}>
        <code>{key_id}</code>
        <span className={styles.shy}>
          <CopyButton label={`Copy Key ID of ${name}`} onCopy={() => copyText(key_id)} />
        </span>
      </div>
      <div role="cell">
        <KeyPermissions apiKey={apiKey} />
      </div>
      <div role="cell" className={styles.limits}>
        {limitsOf(apiKey)?.join(' · ') ?? 'No limit'}
      </div>
      <div role="cell" title={last_used_at === null ? undefined : formatFullDate(last_used_at)}>
        {last_used_at === null ? 'Never used' : formatMoment(last_used_at)}
      </div>
      <div role="cell" title={expires_at === null ? undefined : formatFullDate(expires_at)}>
        {expires_at === null ? 'Never' : formatDay(expires_at)}
      </div>
      <div role="cell" className={styles.shy}>
        <IconButton label={`Rename ${name}`} icon={IconPencil} onClick={() => actions.rename(apiKey)} />
        <IconButton
          label={`${is_active ? 'Disable' : 'Enable'} ${name}`}
          icon={is_active ? IconPlayerPause : IconPlayerPlay}
          onClick={() => actions.toggle(apiKey)}
        />
        <IconButton label={`Delete ${name}`} icon={IconTrash} onClick={() => actions.remove(apiKey)} />
      </div>
    </div>
  )
}
