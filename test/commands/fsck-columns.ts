/**
 * Invalid values for each database column in which `filestore fsck` can see damage; the other columns are listed with
 * the reason.
 */

/** A text that matches no format and no list, and is too short. */
const word = "'nonsense'"
/** A time beyond the range of Date (ECMA-262: 8.64e15 ms from 1970). */
const noTime = '9000000000000000'
const noFlag = '7'
const below = '-5'
/** A hash of argon2id that ends within its cost. */
const cutHash = "'$argon2id$v=19$m=65536'"
/** A text with a control character. */
const controlled = "'a\u0001b'"
const noJson = `'{"broken'`

/** SQL of an invalid value, by table and column. */
export const nonsense: Record<string, Record<string, string>> = {
  api_keys: {
    name: controlled,
    key_id: word,
    secret_hash: word,
    kind: word,
    permissions: noJson,
    is_active: noFlag,
    created_at: noTime,
    last_used_at: noTime,
    expires_at: noTime,
    rate_limit_per_minute: below,
    rate_limit_per_hour: below,
    rate_limit_per_day: below,
    made_by: below,
    scope_space_id: '7',
    scope_item_id: '7',
  },
  blobs: { key: word, place: word, sha256: word, created_at: noTime },
  events: {
    actor_name: controlled,
    address: controlled,
    at: noTime,
    actor_id: below,
    key_id: below,
    link_id: below,
    action: word,
    space_id: below,
    item_id: below,
    revision: below,
    detail: noJson,
  },
  file_metadata: { value: controlled, value_folded: word },
  files: {
    validation_comment: controlled,
    is_directory: noFlag,
    mime_type: "'image/png'",
    received_by: below,
    content_by: below,
    is_favorite: noFlag,
    validation_status: word,
    validated_at: noTime,
    modified_at: noTime,
    deleted_at: noTime,
    created_at: noTime,
    updated_at: noTime,
  },
  group_members: { created_at: noTime },
  leases: { name: controlled, holder: controlled, node_id: controlled, expires_at: noTime },
  link_visits: { hash: word, item_id: below, expires_at: noTime, round: below },
  links: {
    level: word,
    label: controlled,
    password_hash: cutHash,
    created_at: noTime,
    expires_at: noTime,
    max_downloads: below,
    max_bytes: below,
    ask_name: noFlag,
    is_active: noFlag,
    opened: below,
    downloads: below,
    uploads: below,
    bytes_in: below,
    last_used_at: noTime,
    lock_turn: below,
    visit_round: below,
  },
  metadata_fields: {
    label: controlled,
    description: controlled,
    name: "'Not A Name'",
    field_type: word,
    options: noJson,
    is_required: noFlag,
    is_enabled: noFlag,
    created_at: noTime,
  },
  nodes: {
    node_id: controlled,
    name: controlled,
    version: controlled,
    schema: controlled,
    address: controlled,
    clock_skew: noTime,
    started_at: noTime,
    seen_at: noTime,
  },
  roles: {
    name: controlled,
    description: controlled,
    lock_turn: below,
    is_system: noFlag,
    created_at: noTime,
    updated_at: noTime,
  },
  server_state: { key: controlled, value: below },
  sessions: {
    address: controlled,
    user_agent: controlled,
    hash: word,
    created_at: noTime,
    last_seen_at: noTime,
    expires_at: noTime,
  },
  settings: { key: word, value: word, updated_at: noTime },
  shared_counts: { name: controlled, points: below, ends_at: noTime },
  shares: { level: word, created_at: noTime, expires_at: noTime },
  file_thumbnails: { key: word, size: below, blob_id: below },
  spaces: {
    kind: word,
    storage_quota: below,
    revision: below,
    lock_turn: below,
    editors_may_link: noFlag,
    created_at: noTime,
  },
  tags: { name: controlled, color: "'zebra'" },
  uploads: {
    id: word,
    visit_hash: word,
    network: controlled,
    key_id: below,
    header: controlled,
    target: noJson,
    length: below,
    received: below,
    reserved: below,
    blob_key: word,
    state: word,
    error: noJson,
    file_id: below,
    holder: controlled,
    epoch: below,
    held_until: noTime,
    created_at: noTime,
    expires_at: noTime,
  },
  user_groups: { name: controlled, name_key: word, kind: word },
  users: {
    username: controlled,
    email: controlled,
    full_name: controlled,
    username_key: word,
    username_skeleton: word,
    email_key: word,
    password_hash: cutHash,
    is_active: noFlag,
    must_change_password: noFlag,
    preferences: noJson,
    last_login_at: noTime,
    shares_seen_at: noTime,
    created_at: noTime,
    updated_at: noTime,
  },
}

/** Columns whose damage has its own kind in fsck-damages.ts, or shows as damage of a row that refers to it. */
export const damagedElsewhere: Record<string, readonly string[]> = {
  api_keys: ['id', 'user_id'],
  blob_bytes: ['blob_id', 'bytes'],
  blobs: ['id', 'size'],
  favorites: ['user_id', 'file_id'],
  file_metadata: ['file_id', 'field_id'],
  file_tags: ['tag_id', 'file_id'],
  files: [
    ...['id', 'space_id', 'owner_id', 'parent_id', 'name_folded', 'sort_key', 'size', 'blob_id'],
    ...['name', 'validated_by', 'trash_root_id'],
  ],
  folder_counts: ['space_id', 'folder_id', 'is_directory', 'items'],
  group_members: ['user_id', 'group_id'],
  link_visits: ['link_id'],
  links: ['id', 'space_id', 'item_id', 'created_by', 'token_hash', 'token_sealed'],
  permissions: ['id', 'key'],
  role_permissions: ['role_id', 'permission_id'],
  sessions: ['user_id'],
  share_hides: ['user_id', 'share_id'],
  shares: ['id', 'space_id', 'item_id', 'user_id', 'group_id', 'created_by'],
  file_thumbnails: ['id', 'file_id', 'space_id', 'bytes'],
  spaces: ['id', 'owner_id', 'storage_used', 'storage_reserved', 'item_count', 'transfer_folder_id'],
  tags: ['id', 'owner_id'],
  type_counts: ['space_id', 'is_directory', 'mime_type', 'items', 'bytes'],
  uploads: ['user_id', 'link_id', 'space_id'],
  user_groups: ['id'],
  users: ['id', 'role_id'],
}

/** Columns whose damage cannot be told from another valid value. */
export const unnoticed: Record<string, readonly string[]> = {
  events: ['id'],
  metadata_fields: ['id'],
  roles: ['id'],
  sessions: ['id', 'data'],
  uploads: ['store_state'],
}

/** Columns whose value another release might have derived; backups are not held to what this one derives. */
export const derivedOtherwise: readonly string[] = [
  'file_metadata value_folded',
  'files mime_type',
  'users username_skeleton',
]
