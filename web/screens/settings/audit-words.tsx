/** Describes an event of the audit log, without its author. */
import type { ReactNode } from 'react'
import { type EventNoun, eventActions } from '../../../src/api/event-actions.ts'
import type { ChangeEvent } from '../../../src/api/events.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import styles from './audit-words.module.css'
import { switchGroups } from './switches.ts'

type Detail = NonNullable<ChangeEvent['detail']>

/** In the order of the menu. */
const nouns: Record<EventNoun, string> = {
  file: 'Files',
  folder: 'Folders',
  trash: 'Trash',
  space: 'Storage',
  share: 'Shares',
  link: 'Links',
  sharing: 'Sharing',
  group: 'Groups',
  tag: 'Tags',
  'api-key': 'API keys',
  user: 'Users',
  session: 'Sessions',
  role: 'Roles',
  'metadata-field': 'Metadata fields',
  setting: 'Settings',
  backup: 'Backups',
  audit: 'Audit log',
}

/** The actions that the log can be filtered by, grouped by noun. */
export const auditActions = Object.entries(nouns).map(([noun, label]) => ({
  noun,
  label,
  actions: Object.keys(eventActions).filter(action => action.startsWith(`${noun}.`)),
}))

/** The terms of an action; undefined for one that this version does not know. */
const termsOf: Record<string, { words: string } | undefined> = eventActions

/** The changes to a user. */
function changesOf({ role, is_active, storage_quota, email, full_name, password }: Detail): string {
  const parts = [
    role !== undefined && `role ${role}`,
    is_active !== undefined && (is_active ? 'enabled' : 'disabled'),
    typeof storage_quota === 'number' && `quota ${formatSize(storage_quota)}`,
    email !== undefined && `email ${email}`,
    full_name !== undefined && 'full name',
    password !== undefined && 'password',
  ]
  return parts.filter(part => part !== false).join(', ')
}

/** The changes to a link. */
function changesOfLink({
  level,
  expires_at,
  password,
  max_downloads,
  max_bytes,
  ask_name,
  is_active,
  take_over,
}: Detail) {
  const parts = [
    is_active !== undefined && (is_active ? 'resumed' : 'paused'),
    take_over !== undefined && 'taken over',
    level !== undefined && `access ${level}`,
    expires_at !== undefined && (expires_at === null ? 'no end' : `until ${expires_at}`),
    password !== undefined && (password === 'none' ? 'no password' : 'a new password'),
    max_downloads !== undefined && (max_downloads === null ? 'any downloads' : `at most ${max_downloads} downloads`),
    max_bytes !== undefined &&
      (typeof max_bytes === 'number' ? `at most ${formatSize(max_bytes)}` : 'uploads of any size'),
    ask_name !== undefined && (ask_name ? 'asks for a name' : 'asks for no name'),
  ]
  return parts.filter(part => part !== false).join(', ')
}

const settingName = (key: unknown): string =>
  switchGroups.flatMap(({ switches }) => switches).find(each => each.key === key)?.name ?? String(key)

/** The details in the form that the sentences need. */
function worded({ action, detail }: ChangeEvent): Detail {
  if (detail === null) return {}
  if (action === 'file.move') return { place: detail.to === null ? 'to Home' : 'to another folder' }
  if (action === 'setting.update')
    return { key: settingName(detail.key), state: detail.value === 'true' ? 'on' : 'off' }
  if (action === 'user.update') return { ...detail, changes: changesOf(detail) }
  if (action === 'link.update') return { ...detail, changes: changesOfLink(detail) }
  const { from, more, events } = detail
  if (typeof more === 'number') return { ...detail, more: more === 1 ? 'once more' : `${more} more times` }
  if (typeof events === 'number') return { events: events === 1 ? '1 event' : `${events} events` }
  const isTag = action === 'tag.update' && typeof from === 'object' && from !== null && 'name' in from
  return { ...detail, ...(isTag ? { name: from.name } : {}) }
}

/** Details that are not names. */
const plain = ['items', 'changes', 'place', 'state', 'reason', 'call', 'more', 'events', 'ended']

/** The item, or the number of items. */
function itemsOf({ item_id }: ChangeEvent, { items }: Detail): string {
  if (item_id !== null) return `item ${item_id}`
  return typeof items === 'number' ? `${items} items` : 'an item'
}

function valueAt(event: ChangeEvent, detail: Detail, key: string): ReactNode {
  if (key === '#') return itemsOf(event, detail)
  const value = detail[key]
  if (key === 'size' && typeof value === 'number') return formatSize(value)
  if (typeof value !== 'string' && typeof value !== 'number') return null
  if (value === '') return null
  if (plain.includes(key)) return String(value)
  return <bdi className={styles.name}>{value}</bdi>
}

/** Fills in a sentence; null when one of its details is missing. */
function fill(event: ChangeEvent, detail: Detail, text: string): ReactNode[] | null {
  const parts = text.split(/\{([^}]+)\}/)
  const filled = parts.map((part, index) => (index % 2 === 0 ? part : valueAt(event, detail, part)))
  return filled.includes(null) ? null : filled
}

/** `renamed a.txt to b.txt`; an unknown action is shown by its own name. */
export function AuditWords({ event }: { event: ChangeEvent }) {
  const detail = worded(event)
  const sentence = termsOf[event.action]?.words
  if (sentence === undefined) return event.action
  const pieces = sentence.split(/\[([^\]]+)\]/)
  const words = pieces.flatMap((piece, index) => {
    const filled = fill(event, detail, piece)
    return filled ?? (index % 2 === 0 ? [piece.replace(/ ?\{[^}]+\}/g, '')] : [])
  })
  return words.map((word, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence have their place alone
    <span key={index}>{word}</span>
  ))
}
