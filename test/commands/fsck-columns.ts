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
const noJson = `'{"broken'`

/** SQL of an invalid value, by table and column. */
export const nonsense: Record<string, Record<string, string>> = {
  api_keys: {
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
    at: noTime,
    actor_id: below,
    key_id: below,
    action: word,
    space_id: below,
    item_id: below,
    detail: noJson,
  },
  file_metadata: { value_folded: word },
  files: {
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
  leases: { expires_at: noTime },
  metadata_fields: {
    name: "'Not A Name'",
    field_type: word,
    options: noJson,
    is_required: noFlag,
    is_enabled: noFlag,
    created_at: noTime,
  },
  roles: { is_system: noFlag, created_at: noTime, updated_at: noTime },
  server_state: { value: below },
  sessions: { hash: word, created_at: noTime, last_seen_at: noTime, expires_at: noTime },
  settings: { key: word, value: word, updated_at: noTime },
  shared_counts: { points: below, ends_at: noTime },
  shares: { level: word, created_at: noTime, expires_at: noTime },
  space_thumbnails: { key: word, size: below },
  spaces: { kind: word, storage_quota: below, revision: below, editors_may_link: noFlag, created_at: noTime },
  tags: { color: "'zebra'" },
  user_groups: { name_key: word, kind: word },
  users: {
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
    ...['validated_by', 'trash_root_id'],
  ],
  folder_counts: ['space_id', 'folder_id', 'is_directory', 'items'],
  group_members: ['user_id', 'group_id'],
  permissions: ['id', 'key'],
  role_permissions: ['role_id', 'permission_id'],
  sessions: ['user_id'],
  share_hides: ['user_id', 'share_id'],
  shares: ['id', 'space_id', 'item_id', 'user_id', 'group_id', 'created_by'],
  space_thumbnails: ['id', 'blob_id', 'space_id'],
  spaces: ['id', 'owner_id', 'storage_used', 'item_count'],
  tags: ['id', 'owner_id'],
  type_counts: ['space_id', 'is_directory', 'mime_type', 'items', 'bytes'],
  user_groups: ['id'],
  users: ['id', 'role_id'],
}

/** Columns whose damage cannot be told from another valid value. */
export const unnoticed: Record<string, readonly string[]> = {
  api_keys: ['name'],
  events: ['id', 'actor_name', 'address'],
  file_metadata: ['value'],
  files: ['name', 'validation_comment'],
  leases: ['name', 'holder'],
  metadata_fields: ['id', 'label', 'description'],
  roles: ['id', 'name', 'description'],
  server_state: ['key'],
  sessions: ['id', 'data', 'address', 'user_agent'],
  shared_counts: ['name'],
  tags: ['name'],
  user_groups: ['name'],
  users: ['username', 'email', 'full_name'],
}
