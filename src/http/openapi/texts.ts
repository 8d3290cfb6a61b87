/** Texts of the API's document: a title for each subject, and a line for each field that needs one. */
import { maxPageSize, minSearchLength } from '../../api/limits.ts'
import type { SubjectName } from './operations.ts'

export const subjectTitles: Record<SubjectName, string> = {
  auth: 'Account',
  keys: 'API keys',
  files: 'Files',
  content: 'Files',
  uploads: 'Files',
  trash: 'Files',
  search: 'Files',
  changes: 'Files',
  shares: 'Sharing',
  links: 'Sharing',
  visits: 'Links for visitors',
  spaces: 'Team folders',
  groups: 'Groups',
  tags: 'Tags',
  users: 'Users',
  roles: 'Roles',
  metadata: 'Metadata fields',
  settings: 'Settings',
  validation: 'Validation',
  events: 'Audit',
  system: 'System',
  openapi: 'System',
}

/** Descriptions by field name, for any input. */
export const fieldNotes: Record<string, string> = {
  limit: `Entries on the page, 1 to ${maxPageSize}.`,
  cursor: 'The `next_cursor` of the page before.',
  parent_id: 'The id of a folder; absent, empty or null is the root.',
  only: 'Folders alone, or files alone.',
  q: `At least ${minSearchLength} characters, or one of Chinese, Japanese or Korean; case and accents do not matter. With \`tag_id\` it may be absent.`,
  mime_type: 'A whole type, or a prefix that ends in a slash: `image/`.',
  min_size: 'Bytes, included.',
  max_size: 'Bytes, included.',
  date_from: 'A day (UTC) or a time; against `updated_at`, included.',
  date_to: 'A day (UTC, the whole of it) or a time; against `updated_at`, included.',
  meta: '`<field name>:<value>`; may be given several times.',
  on_conflict:
    'What happens when the name is taken: pick a free one (the default), refuse, or give the file new content.',
  modified_at: "The file's own time, ISO 8601.",
  metadata: 'Values for metadata fields; in an upload as the text of a JSON list.',
  exist_ok: 'Answer with the folder of that name if it is there already.',
  older_than_days: 'Only what was trashed at least so many days ago.',
  duplicates: '`true`: only files whose content another live file of the tree has, too.',
  ids: 'Ids of files and folders.',
  expires_in: 'Days from now; absent: never.',
  kind: '`device` keys have no request budget; only a session can make one, with the password.',
  storage_quota: 'Bytes.',
  files: 'What becomes of the files: deleted, or given to the user `to`.',
  after: 'The id of the last file of the page before; an empty page is the end.',
  permission_ids: 'The ids that `GET /roles/permissions` lists.',
  options: 'The choices of a select field.',
  path: 'From the root: `/Docs/a.pdf`.',
}
