/** Describes an event of the audit log, without its author. */
import type { ReactNode } from 'react'
import type { ChangeEvent } from '../../../src/api/events.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import styles from './audit-words.module.css'
import { switchGroups } from './switches.ts'

type Detail = NonNullable<ChangeEvent['detail']>

/** `{key}` is the detail of that name, `{#}` the item. A part in brackets is left out when its detail is missing. */
const sentences: Record<string, string> = {
  'file.upload': 'uploaded {name}[ ({size})]',
  'file.replace': 'replaced the content of {name}',
  'file.rename': 'renamed {from} to {to}',
  'file.copy': 'made the copy {name}',
  'file.favorite': 'added {#} to favorites',
  'file.unfavorite': 'removed {#} from favorites',
  'file.tag': 'gave {#} the tag {name}',
  'file.untag': 'took the tag {name} off {#}',
  'file.metadata': 'changed the metadata of {name}',
  'file.trash': 'moved {name} to the trash',
  'file.restore': 'restored {name} from the trash',
  'file.repair': 'corrected the entry of {name}',
  'file.delete': 'permanently deleted {name}',
  'file.approve': 'approved {name}[: {comment}]',
  'file.reject': 'rejected {name}[: {comment}]',
  'file.download': 'downloaded[ {name}][ {items} items][ in {archive}][ {reason}][, {more}]',
  'file.preview': 'opened[ {name}][ {reason}][, {more}]',
  'file.view': 'looked at the details of[ {name}][ {reason}][, {more}]',
  'folder.create': 'created the folder {name}',
  'folder.download': 'downloaded[ the folder {name}][ in {archive}][ {reason}][, {more}]',
  'trash.empty': 'emptied the trash[ of {items} items]',
  'trash.purge': 'removed[ {items}] items from the trash whose time was over',
  'space.repair': 'corrected the counters of a storage',
  'user.repair': 'corrected the entry of the user {name}',
  'role.repair': 'corrected the role {name}',
  'api-key.repair': 'corrected the entry of the API key {name}',
  'metadata-field.repair': 'corrected the metadata field {name}',
  'tag.repair': 'corrected the tag {name}',
  'tag.create': 'created the tag {name}',
  'tag.update': 'changed the tag {name}',
  'tag.delete': 'deleted the tag {name}',
  'api-key.create': 'created the API key {name}',
  'api-key.update': 'changed the API key {name}',
  'api-key.delete': 'deleted the API key {name}',
  'api-key.use': 'used[ the API key {name}][ {reason}][, {more}]',
  'api-key.refuse': 'refused an API key[ {key_id}][: {reason}][, {more}]',
  'api-key.forbid': 'asked with an API key for what it may not[: {call}][, {more}]',
  'api-key.limit': 'sent more requests than an API key may[, {more}]',
  'user.create': 'created the user {username}[ as {role}]',
  'user.update': 'changed the user {username}[: {changes}]',
  'user.delete': 'deleted the user {username}',
  'user.update-profile': 'changed the own profile',
  'user.change-password': 'changed the own password',
  'user.export': 'exported the files of {username}[ to {folder}]',
  'user.import': 'imported {folder} into the files of {username}',
  'session.sign-in': 'signed in[, which ended {ended} older sessions]',
  'session.sign-out': 'signed out',
  'session.refuse': 'refused a sign-in[ as {username}][: {reason}][, {more}]',
  'session.end': 'ended a session',
  'role.create': 'created the role {name}',
  'role.update': 'changed the role {from}[, now {name}]',
  'role.delete': 'deleted the role {name}',
  'metadata-field.create': 'created the metadata field {name}',
  'metadata-field.update': 'changed the metadata field {name}',
  'metadata-field.delete': 'deleted the metadata field {name}',
  'setting.update': 'turned {state} {key}',
  'backup.create': 'made the backup {snapshot}[ in {place}]',
  'backup.restore': 'restored the backup {snapshot}[ of {place}]',
  'audit.export': 'exported the audit log[ {reason}][, {more}]',
  'audit.expire': 'removed {events} from the audit log whose time was over',
  'audit.lose': 'could not note {events} in the audit log',
  'file.move': 'moved {#} {place}',
}

/** The actions that the log can be filtered by, grouped by noun. */
export const auditActions: readonly { noun: string; label: string; actions: readonly string[] }[] = (
  [
    ['file', 'Files'],
    ['folder', 'Folders'],
    ['trash', 'Trash'],
    ['space', 'Storage'],
    ['tag', 'Tags'],
    ['api-key', 'API keys'],
    ['user', 'Users'],
    ['session', 'Sessions'],
    ['role', 'Roles'],
    ['metadata-field', 'Metadata fields'],
    ['setting', 'Settings'],
    ['backup', 'Backups'],
    ['audit', 'Audit log'],
  ] as const
).map(([noun, label]) => ({
  noun,
  label,
  actions: Object.keys(sentences).filter(action => action.startsWith(`${noun}.`)),
}))

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

const settingName = (key: unknown): string =>
  switchGroups.flatMap(({ switches }) => switches).find(each => each.key === key)?.name ?? String(key)

/** The details in the form that the sentences need. */
function worded({ action, detail }: ChangeEvent): Detail {
  if (detail === null) return {}
  if (action === 'file.move') return { place: detail.to === null ? 'to Home' : 'to another folder' }
  if (action === 'setting.update')
    return { key: settingName(detail.key), state: detail.value === 'true' ? 'on' : 'off' }
  if (action === 'user.update') return { ...detail, changes: changesOf(detail) }
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
  const sentence = sentences[event.action]
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
