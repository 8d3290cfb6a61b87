/** Every action that an event of the audit log can have. What records, shows or filters events reads this table. */

interface ActionTerms {
  /**
   * The sentence of the audit log, after the actor's name. `{key}` is the detail of that name or what the web app makes
   * of it (`audit-words.tsx`), `{#}` the item. A part in brackets is left out when its detail is missing.
   */
  words: string
  /** The names of the details that an event may hold. Acts that the journal sums up hold `reason` and `more`. */
  details: readonly string[]
  /** Whether listings of a space show the change. Its event names the space then, which raises the space's revision. */
  isListed?: true
}

/** By action, noun and verb: the noun says which table the event's item is from. */
export const eventActions = {
  'file.upload': { words: 'uploaded {name}[ ({size})]', details: ['name', 'size'], isListed: true },
  'file.replace': { words: 'replaced the content of {name}', details: ['name', 'size'], isListed: true },
  'file.rename': { words: 'renamed {from} to {to}', details: ['from', 'to'], isListed: true },
  'file.date': { words: 'changed the date of {name}', details: ['name', 'modified_at'], isListed: true },
  'file.copy': { words: 'made the copy {name}', details: ['from', 'name', 'parent_id'], isListed: true },
  'file.favorite': { words: 'added {#} to favorites', details: ['items'], isListed: true },
  'file.unfavorite': { words: 'removed {#} from favorites', details: ['items'], isListed: true },
  'file.tag': { words: 'gave {#} the tag {name}', details: ['tag_id', 'name', 'items'], isListed: true },
  'file.untag': { words: 'took the tag {name} off {#}', details: ['tag_id', 'name', 'items'], isListed: true },
  'file.metadata': { words: 'changed the metadata of {name}', details: ['name', 'fields'], isListed: true },
  'file.trash': { words: 'moved {name} to the trash', details: ['name', 'parent_id'], isListed: true },
  'file.restore': { words: 'restored {name} from the trash', details: ['name', 'parent_id'], isListed: true },
  'file.repair': { words: 'corrected the entry of {name}', details: ['name', 'columns'], isListed: true },
  'file.delete': { words: 'permanently deleted {name}', details: ['name'], isListed: true },
  'file.approve': { words: 'approved {name}[: {comment}]', details: ['name', 'comment'], isListed: true },
  'file.reject': { words: 'rejected {name}[: {comment}]', details: ['name', 'comment'], isListed: true },
  'file.download': {
    words: 'downloaded[ {name}][ {items} items][ in {archive}][ {reason}][, {more}]',
    details: ['name', 'archive', 'items', 'reason', 'more'],
  },
  'file.preview': { words: 'opened[ {name}][ {reason}][, {more}]', details: ['name', 'reason', 'more'] },
  'file.view': { words: 'looked at the details of[ {name}][ {reason}][, {more}]', details: ['name', 'reason', 'more'] },
  'file.move': { words: 'moved {#} {place}', details: ['from', 'to'], isListed: true },
  'folder.create': { words: 'created the folder {name}', details: ['name', 'parent_id'], isListed: true },
  'folder.download': {
    words: 'downloaded[ the folder {name}][ in {archive}][ {reason}][, {more}]',
    details: ['name', 'archive', 'reason', 'more'],
  },
  'trash.empty': { words: 'emptied the trash[ of {items} items]', details: ['items', 'until'], isListed: true },
  'trash.purge': {
    words: 'removed[ {items}] items from the trash whose time was over',
    details: ['items', 'until'],
    isListed: true,
  },
  'space.repair': {
    words: 'corrected the counters of a storage',
    details: ['counter', 'name', 'columns'],
    isListed: true,
  },
  'user.repair': { words: 'corrected the entry of the user {name}', details: ['name', 'columns'] },
  'role.repair': { words: 'corrected the role {name}', details: ['name', 'columns'] },
  'api-key.repair': { words: 'corrected the entry of the API key {name}', details: ['name', 'columns'] },
  'metadata-field.repair': { words: 'corrected the metadata field {name}', details: ['name', 'columns'] },
  'tag.repair': { words: 'corrected the tag {name}', details: ['name', 'columns'] },
  'share.create': {
    words: 'gave {who} access to {name}: {level}[, until {expires_at}]',
    details: ['name', 'who', 'level', 'expires_at'],
    isListed: true,
  },
  'share.update': {
    words: 'changed the access of {who} to {name}[ from {from} to {level}][, until {expires_at}]',
    details: ['name', 'who', 'from', 'level', 'expires_at'],
    isListed: true,
  },
  'share.delete': {
    words: 'ended the access of {who} to {name}[: {level}]',
    details: ['name', 'who', 'level'],
    isListed: true,
  },
  'link.create': {
    words: 'made a link to {name}: {level}[, {label}][, until {expires_at}]',
    details: ['name', 'label', 'level', 'expires_at'],
    isListed: true,
  },
  'link.update': {
    words: 'changed the link to {name}[, {label}]',
    details: [
      'name',
      'label',
      'from',
      'level',
      'expires_at',
      'password',
      'max_downloads',
      'max_bytes',
      'ask_name',
      'is_active',
      'take_over',
    ],
    isListed: true,
  },
  'link.delete': {
    words: 'ended the link to {name}[, {label}]',
    details: ['name', 'label', 'level', 'expires_at'],
    isListed: true,
  },
  'link.refuse': {
    words: 'refused a password for the link to {name}[ {reason}][, {more}]',
    details: ['name', 'reason', 'more'],
  },
  'link.repair': { words: 'corrected the entry of a link', details: ['name', 'columns'] },
  'space.create': { words: 'created the team folder {name}', details: ['name', 'storage_quota'], isListed: true },
  'space.update': {
    words: 'changed the team folder {name}',
    details: ['name', 'from', 'storage_quota', 'editors_may_link'],
    isListed: true,
  },
  'space.export': {
    words: 'exported the team folder {name}[ to {folder}]',
    details: ['name', 'folder', 'files', 'bytes'],
  },
  'space.delete': { words: 'deleted the team folder {name}', details: ['name', 'files'], isListed: true },
  'group.create': { words: 'created the group {name}', details: ['name', 'members'] },
  'group.update': { words: 'changed the group {name}', details: ['name', 'from', 'added', 'removed'] },
  'group.delete': { words: 'deleted the group {name}', details: ['name', 'shares'] },
  'share.repair': { words: 'corrected the entry of a share', details: ['name', 'columns'] },
  'group.repair': { words: 'corrected the entry of the group {name}', details: ['name', 'columns'] },
  'tag.create': { words: 'created the tag {name}', details: ['name', 'color'] },
  'tag.update': { words: 'changed the tag {name}', details: ['from', 'to'], isListed: true },
  'tag.delete': { words: 'deleted the tag {name}', details: ['name', 'color'], isListed: true },
  'api-key.create': {
    words: 'created the API key {name}',
    details: [
      'name',
      'kind',
      'permissions',
      'expires_at',
      'rate_limit_per_minute',
      'rate_limit_per_hour',
      'rate_limit_per_day',
      'scope_id',
    ],
  },
  'api-key.update': { words: 'changed the API key {name}', details: ['name', 'is_active'] },
  'api-key.delete': { words: 'deleted the API key {name}', details: ['name'] },
  'api-key.use': { words: 'used[ the API key {name}][ {reason}][, {more}]', details: ['name', 'reason', 'more'] },
  'api-key.refuse': {
    words: 'refused an API key[ {key_id}][: {reason}][, {more}]',
    details: ['key_id', 'reason', 'more'],
  },
  'api-key.forbid': {
    words: 'asked with an API key for what it may not[: {call}][, {more}]',
    details: ['call', 'reason', 'more'],
  },
  'api-key.limit': { words: 'sent more requests than an API key may[, {more}]', details: ['reason', 'more'] },
  'user.create': { words: 'created the user {username}[ as {role}]', details: ['username', 'role'] },
  'user.update': {
    words: 'changed the user {username}[: {changes}]',
    details: ['username', 'role', 'is_active', 'storage_quota', 'email', 'full_name', 'password'],
  },
  'user.delete': { words: 'deleted the user {username}', details: ['username', 'files', 'to'] },
  'user.update-profile': { words: 'changed the own profile', details: ['email', 'full_name'] },
  'user.change-password': { words: 'changed the own password', details: [] },
  'user.export': {
    words: 'exported the files of {username}[ to {folder}]',
    details: ['username', 'folder', 'files', 'bytes'],
  },
  'user.import': {
    words: 'imported {folder} into the files of {username}',
    details: ['username', 'folder', 'to', 'files', 'folders', 'bytes'],
  },
  'session.sign-in': { words: 'signed in[, which ended {ended} older sessions]', details: ['user_agent', 'ended'] },
  'session.sign-out': { words: 'signed out', details: [] },
  'session.refuse': {
    words: 'refused a sign-in[ as {username}][: {reason}][, {more}]',
    details: ['username', 'reason', 'more'],
  },
  'session.end': { words: 'ended a session', details: [] },
  'role.create': { words: 'created the role {name}', details: ['name', 'permissions'] },
  'role.update': {
    words: 'changed the role {from}[, now {name}]',
    details: ['from', 'name', 'description', 'permissions'],
  },
  'role.delete': { words: 'deleted the role {name}', details: ['name'] },
  'metadata-field.create': { words: 'created the metadata field {name}', details: ['name', 'field_type'] },
  'metadata-field.update': {
    words: 'changed the metadata field {name}',
    details: ['name', 'label', 'description', 'is_required', 'is_enabled', 'options'],
  },
  'metadata-field.delete': { words: 'deleted the metadata field {name}', details: ['name'] },
  'setting.update': { words: 'turned {state} {key}', details: ['key', 'value'] },
  'sharing.update': {
    words: 'changed the settings of sharing',
    details: ['people', 'everyone', 'find_people', 'links', 'link_uploads', 'link_password_required', 'link_max_days'],
  },
  'backup.create': {
    words: 'made the backup {snapshot}[ in {place}]',
    details: ['snapshot', 'place', 'items', 'bytes'],
  },
  'backup.restore': {
    words: 'restored the backup {snapshot}[ of {place}][, and paused {paused_links} links]',
    details: ['snapshot', 'place', 'paused_links'],
  },
  'audit.export': {
    words: 'exported the audit log[ {reason}][, {more}]',
    details: ['actor', 'action', 'item_id', 'from', 'to', 'reason', 'more'],
  },
  'audit.expire': { words: 'removed {events} from the audit log whose time was over', details: ['events', 'before'] },
  'audit.lose': { words: 'could not note {events} in the audit log', details: ['events'] },
} as const satisfies Record<string, ActionTerms>

type Terms = typeof eventActions
export type EventAction = keyof Terms

/** The changes that listings show. */
export type ListedAction = {
  [Action in EventAction]: Terms[Action] extends { isListed: true } ? Action : never
}[EventAction]

/** What an event of an action may hold. */
export type EventDetail<Action extends EventAction> = Action extends EventAction
  ? { [Name in Terms[Action]['details'][number]]?: unknown }
  : never

/** What actions begin with. */
export type EventNoun = EventAction extends `${infer Noun}.${string}` ? Noun : never
