/** The valid values of every column of every table. A test requires a rule for each column of the migrations. */

import { eventActions } from '../../api/event-actions.ts'
import * as limits from '../../api/limits.ts'
import { adminRole } from '../../api/roles.ts'
import { shareLevels } from '../../api/share-levels.ts'
import { differByOne } from '../../base/differ-by-one.ts'
import { hexForm } from '../../blobs/blob-store.ts'
import { fold } from '../../db/fold.ts'
import { eventDetail } from '../../db/models/events.ts'
import { keyRules, userRules } from './account-rules.ts'
import {
  count,
  derived,
  flag,
  json,
  maybe,
  oneOf,
  pattern,
  type TableRules,
  time,
  toldElsewhere,
} from './column-rules.ts'
import { fieldRules } from './field-rules.ts'
import { fileRules } from './file-rules.ts'
import { groupRules } from './group-rules.ts'
import { linkRules, visitRules } from './link-rules.ts'
import { settingRules } from './settings.ts'
import { endedShare, shareOfNobody } from './shares.ts'
import { block, couldBeFoldedValue, line, plain } from './text-rules.ts'
import { uploadRules } from './upload-rules.ts'

/** Ids of rows that need not exist any more. */
const oldId = (column: string) => maybe(count(column, () => null, 1))

/** A visitor is called `link "<label>"`. */
const longestActorName = Math.max(limits.maxUsernameLength, 'link ""'.length + limits.maxLabelLength)

/** What an event becomes whose action cannot be told any more. */
const unreadable = 'event.unreadable'
/** No release has given up an action, so an older backup has none but these. */
const actions = [...Object.keys(eventActions), unreadable]

const eventRules: TableRules = {
  columns: {
    id: 'told',
    // Names of users, whose form may have been another at that time, and of visitors.
    actor_name: line('actor_name', longestActorName),
    address: maybe(plain('address', 64)),
    at: time('at'),
    actor_id: oldId('actor_id'),
    key_id: oldId('key_id'),
    link_id: oldId('link_id'),
    action: oneOf('action', actions, row => ({
      action: actions.find(action => differByOne(action, String(row.action))) ?? unreadable,
    })),
    space_id: oldId('space_id'),
    item_id: oldId('item_id'),
    revision: maybe(count('revision', () => null, 1)),
    detail: maybe(json('detail', eventDetail.schema, () => ({ detail: '{"note":"could not be read any more"}' }))),
  },
}

const allTold = (...columns: string[]): TableRules => ({
  columns: Object.fromEntries(columns.map(column => [column, 'told'])),
})

export const tableRules: Readonly<Record<string, TableRules>> = {
  api_keys: keyRules,
  blob_bytes: allTold('blob_id', 'bytes'),
  blobs: {
    columns: {
      ...{ id: 'told', size: 'told' },
      key: pattern('key', hexForm),
      place: oneOf('place', ['inline', 'store']),
      sha256: pattern('sha256', hexForm),
      created_at: time('created_at'),
    },
  },
  events: eventRules,
  file_metadata: {
    columns: {
      ...{ file_id: 'told', field_id: 'told' },
      value: block('value', limits.maxMetadataValueLength, value => ({ value_folded: fold(value) })),
      value_folded: derived('value_folded', row => fold(String(row.value)), couldBeFoldedValue),
    },
  },
  favorites: allTold('user_id', 'file_id'),
  file_tags: allTold('tag_id', 'file_id'),
  files: fileRules,
  folder_counts: allTold('space_id', 'folder_id', 'is_directory', 'items'),
  group_members: {
    columns: { user_id: 'told', group_id: 'told', created_at: time('created_at') },
  },
  leases: {
    columns: {
      ...{ name: plain('name', 64), holder: plain('holder', 64), node_id: maybe(plain('node_id', 64)) },
      expires_at: time('expires_at'),
    },
    isDropped: true,
  },
  link_visits: visitRules,
  links: linkRules,
  metadata_fields: fieldRules,
  nodes: {
    columns: {
      ...{ node_id: plain('node_id', 64), name: plain('name', 255), version: plain('version', 64) },
      ...{ schema: plain('schema', 64), address: plain('address', 255) },
      ...{ clock_skew: time('clock_skew'), started_at: time('started_at'), seen_at: time('seen_at') },
    },
    isDropped: true,
  },
  permissions: { columns: { id: 'told', key: toldElsewhere(pattern('key', /^(?=.{3,64}$)[a-z-]+:[a-z-]+$/)) } },
  role_permissions: allTold('role_id', 'permission_id'),
  roles: {
    columns: {
      ...{ id: 'told', name: line('name', limits.maxRoleNameLength) },
      description: maybe(block('description', limits.maxDescriptionLength)),
      lock_turn: count('lock_turn', () => 0),
      is_system: derived('is_system', row => ([adminRole, 'user'].includes(String(row.name)) ? 1 : 0)),
      created_at: time('created_at'),
      updated_at: time('updated_at'),
    },
  },
  server_state: { columns: { key: plain('key', 64), value: count('value', () => 0) }, isDropped: true },
  sessions: {
    columns: {
      // A damaged `data` is ignored; the session stays valid.
      ...{ id: 'told', user_id: 'told', data: 'any' },
      address: maybe(plain('address', 64)),
      // A header is read as Latin-1 (RFC 9110, section 5.5).
      user_agent: maybe(pattern('user_agent', /^[\t -~\u0080-\u00ff]{0,512}$/)),
      hash: pattern('hash', hexForm),
      created_at: time('created_at'),
      last_seen_at: time('last_seen_at'),
      expires_at: time('expires_at'),
    },
    isDropped: true,
  },
  settings: settingRules,
  share_hides: allTold('user_id', 'share_id'),
  shares: {
    columns: {
      ...{ id: 'told', space_id: 'told', item_id: 'told', group_id: 'told', created_by: 'told' },
      user_id: toldElsewhere({
        detail: shareOfNobody,
        fits: (value, { group_id }) => (value === null) !== ((group_id ?? null) === null),
      }),
      level: oneOf('level', shareLevels, () => ({ ...endedShare })),
      created_at: time('created_at'),
      expires_at: maybe(time('expires_at')),
    },
  },
  shared_counts: {
    columns: { name: plain('name', 64), points: count('points', () => 0), ends_at: time('ends_at') },
    isDropped: true,
  },
  file_thumbnails: {
    columns: {
      id: 'told',
      file_id: 'told',
      space_id: 'told',
      bytes: 'told',
      blob_id: count('blob_id', () => 0),
      key: maybe(pattern('key', hexForm)),
      size: count('size', () => 0),
    },
    isDropped: true,
  },
  spaces: {
    columns: {
      ...{ id: 'told', owner_id: 'told', storage_used: 'told', storage_reserved: 'told', item_count: 'told' },
      transfer_folder_id: 'told',
      kind: toldElsewhere(oneOf('kind', ['personal', 'team'])),
      storage_quota: count('storage_quota', () => limits.defaultStorageQuota),
      // A value that was never used: otherwise a listing cached under it would seem current.
      revision: count('revision', Date.now),
      lock_turn: count('lock_turn', () => 0),
      editors_may_link: flag('editors_may_link', () => 0),
      created_at: time('created_at'),
    },
  },
  tags: {
    columns: {
      ...{ id: 'told', owner_id: 'told', name: line('name', limits.maxTagNameLength) },
      color: pattern('color', /^#[0-9A-Fa-f]{6}$/, () => ({ color: '#808080' })),
    },
  },
  type_counts: allTold('space_id', 'is_directory', 'mime_type', 'items', 'bytes'),
  uploads: uploadRules,
  user_groups: groupRules,
  users: userRules,
}
