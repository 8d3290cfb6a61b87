/** The texts of the API's document: one line for each call and subject, and for fields that need one. */
import { maxCountedHits, maxPageSize, minSearchLength, thumbnailSize } from '../../api/limits.ts'
import type { OperationName, SubjectName } from './operations.ts'

export const subjectTitles: Record<SubjectName, string> = {
  auth: 'Account',
  keys: 'API keys',
  files: 'Files',
  search: 'Files',
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

/** Typed by the calls' names, so a call without a line does not compile. */
export const summaries: Record<OperationName, string> = {
  login: 'Sign in',
  logout: 'Sign out',
  getProfile: 'Who calls, and what they may do',
  updateProfile: 'Change the own email or full name',
  changePassword: 'Change the own password; ends all other sessions and the device keys',
  listSessions: 'List the own sessions, the one used last first',
  endSession: 'End one of the own sessions',

  createApiKey: 'Make an API key; the answer alone ever holds its secret',
  listApiKeys: 'List the own API keys',
  updateApiKey: 'Rename, disable or enable an API key',
  deleteApiKey: 'Delete an API key for good',
  listKeyPermissions: 'List the permissions that the caller can give to a key',

  listFiles: 'List a folder',
  getFile: 'Get one file or folder',
  getFileByPath: 'Get the file or folder at a path',
  findFileByPath: 'The same for a path that is too long for an address',
  uploadFile: 'Upload a file',
  createFolder: 'Make a folder',
  renameFile: 'Rename a file or folder',
  moveFile: 'Move a file or folder into another folder, under a new name where one is given',
  copyFile: 'Copy a file, or a folder with all below it',
  favoriteFile: 'Make an item a favorite, or no longer',
  listFavorites: 'List the favorites, folders among them',
  setFileMetadata: "Set or remove a file's metadata values",
  listFileEvents: 'List what was done to an item, the newest first',
  downloadFile: "Download a file's bytes",
  previewFile: "Show a file's bytes in the browser",
  getThumbnail: `Get an image's thumbnail: WebP of at most ${thumbnailSize} pixels`,
  archiveFolder: "Download a folder's content as a ZIP file",
  archiveItems: 'Download several items as one ZIP file',
  trashFile: 'Move an item to the trash',
  restoreFile: 'Restore an item from the trash',
  deleteFile: 'Delete an item of the trash for good',
  listTrash: 'List the trash',
  emptyTrash: 'Delete what is in the trash for good',
  batchFiles: 'Do the same to several items, each on its own',

  searchFiles: `Search by name; total counts to ${maxCountedHits} and then says that it is not exact`,
  getFileStats: 'Count files, folders and bytes by kind, with the newest files',

  listTags: 'List the own tags',
  createTag: 'Make a tag',
  updateTag: 'Rename or recolour a tag',
  deleteTag: 'Delete a tag and take it off its files',
  listFileTags: 'List the tags of a file',
  tagFiles: 'Put a tag on files: on all of them or, where one is not found, on none',
  untagFiles: 'Take a tag off files',

  listUsers: 'List the users',
  createUser: 'Make a user; without a password the answer holds a generated one, this once',
  updateUser: 'Change a user',
  deleteUser: 'Delete a user; `files` says what becomes of what they own',

  listRoles: 'List the roles',
  listPermissions: 'List the permissions that roles can have',
  createRole: 'Make a role',
  updateRole: 'Change a role',
  deleteRole: 'Delete a role that nobody has',

  listUploadFields: 'List the metadata fields that an upload is asked for',
  listFields: 'List all metadata fields',
  createField: 'Make a metadata field',
  updateField: 'Change a metadata field',
  deleteField: "Delete a metadata field and its files' values",

  listSettings: 'List the system settings',
  updateSetting: 'Change a system setting',

  listPending: 'List the files that wait for approval, the oldest first',
  countPending: 'How many files wait for approval, counted up to 5,000',
  listPendingOwners: 'Whose files wait for approval, and how many of each',
  decideFile: 'Approve or reject a file',

  listAudit: 'List what was done on the server, the newest first',
  exportAudit: 'Download the same as CSV, all that fits',
  getSystem: 'Version, database, free space and counts of the server',
  getOpenApi: 'The OpenAPI document of all calls',
}

/** Further remarks, shown after the requirements of a call. */
export const remarks: Partial<Record<OperationName, string>> = {
  batchFiles: 'Each action needs what its single call needs.',
  createApiKey: 'Nobody gives a key what they lack themselves. A device key asks for the own password.',
  changePassword: 'With `end_device_keys: false` the device keys stay.',
  updateUser: 'A new password ends all sessions and API keys of the user.',
  createFolder: 'With `exist_ok` a folder that is there already is the answer, with 200.',
  uploadFile: 'One file, as multipart/form-data. Quota and size are checked while it comes in.',
  getFile: 'A reviewer may also get a file of another that is pending or rejected.',
  downloadFile: 'Always an attachment. The ETag is the SHA-256 of the bytes; one Range is served.',
  previewFile: 'For images, text, PDF, video and audio; what a browser could run is sent as plain text.',
  listFiles: 'Folders stand first. Without `limit` nearly every folder is answered whole.',
  emptyTrash: 'Answers when the last row is gone.',
  decideFile:
    'Nobody decides on a file of their own unless the settings allow it. With `sha256` it is about that content alone.',
}

/** Descriptions by field name, for any input. */
export const fieldNotes: Record<string, string> = {
  limit: `Entries on the page, 1 to ${maxPageSize}.`,
  cursor: 'The `next_cursor` of the page before.',
  parent_id: 'The id of a folder; absent, empty or null is the root.',
  only: 'Folders alone, or files alone.',
  q: `At least ${minSearchLength} characters; case and accents do not matter.`,
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
