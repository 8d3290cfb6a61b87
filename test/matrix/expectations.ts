/**
 * The answer of every call to every kind of caller: the matrix compares the server with this table, and readers compare
 * it with the rules of access. A call has several rows, `name: variant`, if its input decides what it accesses.
 *
 * asks      the permission; `a + b` both, `a / b` either, `session` no key, `signed-in` any credentials, `open` none.
 *           A caller without it gets 403, a caller without credentials 401.
 * own       the caller's own item, for callers with the permission
 * another's another user's item, for a caller who may not review files
 * reviewed  another user's item, for a caller with `validation:review`
 *
 * Items have four states, in this order: live (approved), trashed, pending, rejected; a trashed item answers the same
 * whether it was approved, pending or rejected before. A row with two answers is about a folder (live, trashed), a row
 * with one answer about something without a state: a list, a tag, a key. `-` means that the case does not exist. For a
 * batch, the answer is that of its one id.
 */
const things = `
call                   | asks                     | own             | another's       | reviewed

login                  | open                     | 200             | -               | -
getOpenApi             | open                     | 200             | -               | -
logout                 | session                  | 200             | -               | -
getProfile             | signed-in                | 200             | -               | -
updateProfile          | session                  | 200             | -               | -
updatePreferences      | session                  | 200             | -               | -
changePassword         | session                  | 200             | -               | -
listSessions           | session                  | 200             | -               | -
endSession             | session                  | 200             | 404             | 404

createApiKey           | api-keys:manage          | 201             | -               | -
listApiKeys            | api-keys:manage          | 200             | -               | -
listKeyPermissions     | api-keys:manage          | 200             | -               | -
updateApiKey           | api-keys:manage          | 200             | 404             | 404
deleteApiKey           | api-keys:manage          | 200             | 404             | 404

listFiles              | files:read               | 200             | -               | -
listFiles: folder      | files:read               | 200 404         | 404 404         | 404 404
getFile                | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 200 200
getFile: folder        | files:read               | 200 404         | 404 404         | 404 404
getFolderSize          | files:read               | 200 404         | 404 404         | 404 404
getFileByPath          | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
findFileByPath         | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
listFileEvents         | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
downloadFile           | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 200 200
previewFile            | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 200 200
getThumbnail           | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 200 200
archiveFolder          | files:read               | 200 404         | 404 404         | 404 404
archiveItems           | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
archiveItems: form     | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
listFavorites          | files:read               | 200             | -               | -
listTrash              | files:read               | 200             | -               | -
listRecent             | files:read               | 200             | -               | -
listLargest            | files:read               | 200             | -               | -
getFileStats           | files:read               | 200             | -               | -
listChanges            | files:read               | 200             | -               | -
followChanges          | files:read               | 200             | -               | -
searchFiles            | files:search             | 200             | -               | -

uploadFile             | files:upload             | 201             | -               | -
uploadFile: folder     | files:upload             | 201 404         | 404 404         | 404 404
uploadMany             | files:upload             | 200             | -               | -
uploadMany: folder     | files:upload             | 200 404         | 404 404         | 404 404
describeUploads        | open                     | 204             | -               | -
createUpload           | files:upload             | 201             | -               | -
createUpload: folder   | files:upload             | 201 404         | 404 404         | 404 404
findUpload             | files:upload             | 200             | 404             | 404
appendUpload           | files:upload             | 204             | 404             | 404
discardUpload          | files:upload             | 204             | 404             | 404
listUploads            | files:upload             | 200             | -               | -
finishUpload           | files:upload             | 201             | 404             | 404
replaceContent         | files:upload + files:write | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
createFolder           | files:write              | 201             | -               | -
createFolder: folder   | files:write              | 201 404         | 404 404         | 404 404
renameFile             | files:write              | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
setModifiedAt          | files:write              | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
moveFile               | files:write              | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
moveFile: folder       | files:write              | 200 404         | 404 404         | 404 404
favoriteFile           | files:write              | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
setFileMetadata        | files:write              | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
copyFile               | files:read + files:write | 201 404 201 201 | 404 404 404 404 | 404 404 404 404
copyFile: folder       | files:read + files:write | 201 404         | 404 404         | 404 404

trashFile              | files:delete             | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
trashFile: folder      | files:delete             | 200 404         | 404 404         | 404 404
restoreFile            | files:delete             | 409 200 409 409 | 404 404 404 404 | 404 404 404 404
deleteFile             | files:delete             | 409 200 409 409 | 404 404 404 404 | 404 404 404 404
emptyTrash             | files:delete             | 200             | -               | -

batchFiles: move       | files:write              | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
batchFiles: folder     | files:write              | 200 404         | 404 404         | 404 404
batchFiles: favorite   | files:write              | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
batchFiles: trash      | files:delete             | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
batchFiles: restore    | files:delete             | 409 200 409 409 | 404 404 404 404 | 404 404 404 404
batchFiles: delete     | files:delete             | 409 200 409 409 | 404 404 404 404 | 404 404 404 404
batchFiles: tag        | tags:write               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
batchFiles: untag      | tags:write               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
batchFiles: its tag    | tags:write               | 200             | 404             | 404

listAccess             | files:share              | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
createShare            | files:share              | 201 404 201 201 | 404 404 404 404 | 404 404 404 404
updateShare            | files:share              | 200             | 404             | 404
deleteShare            | files:share              | 200             | -               | -
deleteShare: received  | files:read               | 200             | -               | -
hideShare              | files:read               | 200             | 404             | 404
listReceived           | files:read               | 200             | -               | -
listGiven              | files:share              | 200             | -               | -
markSharesSeen         | files:read               | 200             | -               | -
findPeople             | files:share / spaces:manage | 200             | -               | -
getSharingSettings     | settings:manage          | 200             | -               | -
updateSharingSettings  | settings:manage          | 200             | -               | -

createLink             | files:link + files:read  | 201 404 201 201 | 404 404 404 404 | 404 404 404 404
listLinks              | files:link               | 200             | -               | -
listLinks: of an item  | files:link               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
listLinks: all         | settings:manage          | 200             | -               | -
updateLink             | files:link + files:read  | 200             | 404             | 404
deleteLink             | files:link / settings:manage | 200             | -               | -
listLinkEvents         | files:link + files:read  | 200             | 404             | 404

listSpaces             | files:read               | 200             | -               | -
listSpaces: all        | spaces:manage            | 200             | -               | -
createSpace            | spaces:manage            | 201             | -               | -
updateSpace            | files:share              | 200             | 404             | -
updateSpace: quota     | spaces:manage            | 200             | -               | -
deleteSpace            | spaces:manage            | 200             | 200             | -

listGroups             | users:manage             | 200             | -               | -
getGroup               | users:manage             | 200             | -               | -
createGroup            | users:manage             | 201             | -               | -
updateGroup            | users:manage             | 200             | -               | -
deleteGroup            | users:manage             | 200             | -               | -
addGroupMember         | users:manage             | 200             | -               | -
removeGroupMember      | users:manage             | 200             | -               | -

listTags               | tags:read                | 200             | -               | -
listFileTags           | files:read               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
createTag              | tags:write               | 201             | -               | -
updateTag              | tags:write               | 200             | 404             | 404
deleteTag              | tags:write               | 200             | 404             | 404
tagFiles               | tags:write               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
tagFiles: its tag      | tags:write               | 200             | 404             | 404
untagFiles             | tags:write               | 200 404 200 200 | 404 404 404 404 | 404 404 404 404
untagFiles: its tag    | tags:write               | 200             | 404             | 404

listUploadFields       | files:upload             | 200             | -               | -
listFields             | metadata:manage          | 200             | -               | -
createField            | metadata:manage          | 201             | -               | -
updateField            | metadata:manage          | 200             | -               | -
deleteField            | metadata:manage          | 200             | -               | -

listSettings           | settings:manage          | 200             | -               | -
updateSetting          | settings:manage          | 200             | -               | -
listAudit              | settings:manage          | 200             | -               | -
exportAudit            | settings:manage          | 200             | -               | -
getSystem              | settings:manage          | 200             | -               | -

listPending            | validation:review        | 200             | -               | -
countPending           | validation:review        | 200             | -               | -
listPendingOwners      | validation:review        | 200             | -               | -
decideFile             | validation:review        | 403 404 403 403 | -               | 409 404 200 409
`

/**
 * The calls whose answer depends on the caller's other permissions: nobody assigns, takes over or removes more
 * permissions than they have.
 *
 * all    callers with every permission
 * alone  callers with only the permission of the call
 * keys   keys with only that permission, of a user with every permission; without an entry, the same as `alone`
 */
const rights = `
call                     | asks                        | all | alone | keys

listUsers                | users:manage                | 200 | 200
createUser               | users:manage                | 201 | 201
createUser: stronger     | users:manage                | 201 | 403
updateUser               | users:manage                | 200 | 200
updateUser: own name     | users:manage                | 200 | 200   | 403
updateUser: own role     | users:manage                | 409 | 409
updateUser: own password | users:manage                | 409 | 409
updateUser: disable own  | users:manage                | 409 | 409
updateUser: stronger     | users:manage                | 200 | 403
updateUser: promote      | users:manage                | 200 | 403
updateUser: last admin   | users:manage                | 409 | 403
deleteUser               | users:manage                | 200 | 200
deleteUser: own          | users:manage                | 409 | 409
deleteUser: stronger     | users:manage                | 200 | 403
deleteUser: last admin   | users:manage                | 409 | 403
deleteUser: with files   | users:manage                | 409 | 409

listRoles                | roles:manage / users:manage | 200 | 200
listPermissions          | roles:manage                | 200 | 200
createRole               | roles:manage                | 201 | 201
createRole: stronger     | roles:manage                | 201 | 403
updateRole               | roles:manage                | 200 | 200
updateRole: add          | roles:manage                | 200 | 403
updateRole: system       | roles:manage                | 409 | 409
updateRole: admin        | roles:manage                | 409 | 403
updateRole: stronger     | roles:manage                | 200 | 403
deleteRole               | roles:manage                | 200 | 200
deleteRole: system       | roles:manage                | 409 | 409
deleteRole: in use       | roles:manage                | 409 | 409
deleteRole: stronger     | roles:manage                | 200 | 403

createApiKey: stronger   | api-keys:manage             | 201 | 403
`

export const states = ['live', 'trashed', 'pending', 'rejected'] as const
export type State = (typeof states)[number]

/** The items that the matrix tries for each state of the table. */
export const itemsIn = {
  live: ['live'],
  trashed: ['trashed', 'trashed pending', 'trashed rejected'],
  pending: ['pending'],
  rejected: ['rejected'],
} as const satisfies Record<State, readonly string[]>
export type ItemState = (typeof itemsIn)[State][number]

/** Answers by state, in the order of `states`; one if there are no states, none if the case does not exist. */
type Answers = readonly number[]

export interface Expectation {
  /** `batchFiles: move` */
  row: string
  /** The name in the contract: `batchFiles`. */
  name: string
  asks: string
  /** In the table of rights, the answer for callers with every permission. */
  own: Answers
  others: Answers
  reviewed: Answers
  /** Empty in the table of things. */
  alone: Answers
  keys: Answers
}

const readAnswers = (cell: string | undefined): Answers =>
  (cell ?? '-')
    .split(/\s+/)
    .filter(word => word !== '-')
    .map(Number)

/** The cells of each line below the header. */
const readLines = (table: string): string[][] =>
  table
    .trim()
    .split('\n')
    .slice(1)
    .filter(line => line !== '')
    .map(line => line.split('|').map(cell => cell.trim()))

export type Column = 'own' | 'others' | 'reviewed' | 'alone' | 'keys'

const toExpectation = ([row = '', asks = '']: string[], cells: Partial<Record<Column, string>>): Expectation => ({
  row,
  name: row.split(':')[0] ?? '',
  asks,
  own: readAnswers(cells.own),
  others: readAnswers(cells.others),
  reviewed: readAnswers(cells.reviewed),
  alone: readAnswers(cells.alone),
  keys: readAnswers(cells.keys ?? cells.alone),
})

export const expectations: readonly Expectation[] = [
  ...readLines(things).map(([row = '', asks = '', own, others, reviewed]) =>
    toExpectation([row, asks], { own, others, reviewed }),
  ),
  ...readLines(rights).map(([row = '', asks = '', own, alone, keys]) =>
    toExpectation([row, asks], { own, alone, keys }),
  ),
]
