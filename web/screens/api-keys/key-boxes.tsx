/** The keys as boxes on a phone, each with a menu of actions. */
import { IconDotsVertical, IconPencil, IconPlayerPause, IconPlayerPlay, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiKey } from '../../../src/api/keys.ts'
import { copyText } from '../../lib/local/copy-text.ts'
import { formatDay, formatMoment } from '../../lib/words/format-date.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { KeyActions } from './key-actions.ts'
import styles from './key-boxes.module.css'
import { KeyBadges, KeyPermissions, limitsOf, useUsable } from './key-facts.tsx'
import { ScopeBadge } from './key-scope.tsx'

export function KeyBoxes({ keys, actions }: { keys: readonly ApiKey[]; actions: KeyActions }) {
  return (
    <ul className={styles.list} aria-label="API keys">
      {keys.map(key => (
        <KeyBox key={key.id} apiKey={key} actions={actions} />
      ))}
    </ul>
  )
}

function KeyBox({ apiKey, actions }: { apiKey: ApiKey; actions: KeyActions }) {
  const { name, key_id, last_used_at, expires_at } = apiKey
  const limits = limitsOf(apiKey)
  const isUsable = useUsable(apiKey)
  return (
    <li className={styles.box} aria-label={name} data-off={!isUsable || undefined}>
      <div className={styles.head}>
        <span className={styles.name} dir="auto">
          {name}
        </span>
        <KeyBadges apiKey={apiKey} />
        <KeyMenu apiKey={apiKey} actions={actions} />
      </div>
      <ScopeBadge apiKey={apiKey} />
      <div className={styles.id}>
        <code>{key_id}</code>
        <CopyButton label={`Copy Key ID of ${name}`} onCopy={() => copyText(key_id)} />
      </div>
      <div>
        <KeyPermissions apiKey={apiKey} isCounted /> · {limits === null ? 'no limit' : `${limits[0]} a minute`}
      </div>
      {limits !== null && (
        <div className={styles.meta}>
          {limits[1]} an hour, {limits[2]} a day
        </div>
      )}
      <div className={styles.meta}>
        Last used: {last_used_at === null ? 'Never used' : formatMoment(last_used_at)} · Expires:{' '}
        {expires_at === null ? 'Never' : formatDay(expires_at)}
      </div>
    </li>
  )
}

function KeyMenu({ apiKey, actions }: { apiKey: ApiKey; actions: KeyActions }) {
  const [opener, setOpener] = useState<HTMLElement | null>(null)
  const { name, is_active } = apiKey
  const groups = [
    [
      { label: 'Rename', icon: IconPencil, run: () => actions.rename(apiKey) },
      {
        label: is_active ? 'Disable' : 'Enable',
        icon: is_active ? IconPlayerPause : IconPlayerPlay,
        run: () => actions.toggle(apiKey),
      },
    ],
    [{ label: 'Delete', icon: IconTrash, tone: 'danger' as const, run: () => actions.remove(apiKey) }],
  ]
  return (
    <>
      <IconButton
        label={`More actions for ${name}`}
        icon={IconDotsVertical}
        iconSize={20}
        size="lg"
        aria-haspopup="menu"
        className={styles.more}
        onClick={event => setOpener(event.currentTarget)}
      />
      <ActionMenu
        place={opener?.getBoundingClientRect() ?? null}
        groups={groups}
        label={`Actions for ${name}`}
        head={<b className={styles.menuHead}>{name}</b>}
        onClose={() => {
          setOpener(null)
          opener?.focus()
        }}
      />
    </>
  )
}
