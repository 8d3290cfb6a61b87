/** The calls about items in a shared place, and the table of their answers to every kind of caller. */
import type { FileDetails } from '../../src/api/items.ts'
import { createTag } from '../../src/api/tags.ts'
import type { TestClient } from '../support/client.ts'
import type { BuiltUser } from '../support/factories.ts'

/**
 * `own`: the caller's own hand-in, which only a dropper has; `another's` what others have put there. `held` is not
 * approved, and another's; `rejected` was refused by a reviewer, and `binned` is that in the trash. `own-held` and
 * `own-rejected` are the caller's own hand-ins without approval. `beside` is in the folder that holds the shared one.
 * The columns are levels: `none` has no share, and is tried as a plain user and as an administrator; `all` is the owner
 * of a personal space, and in a team folder its manager. A cell `a;b` has the answer in a personal space and in a team.
 * All files wait for approval here, so nobody's content replaces another's approved one.
 */
const table = `
call                | none | view | upload | edit | all

list root           | 404  | 200  | 200    | 200  | 200
list folder         | 404  | 200  | 404    | 200  | 200
list trashed        | 404  | 404  | 404    | 404  | 404
list beside         | 404  | 404  | 404    | 404  | 200
size root           | 404  | 200  | 200    | 200  | 200
size folder         | 404  | 200  | 404    | 200  | 200
size trashed        | 404  | 404  | 404    | 404  | 404
size beside         | 404  | 404  | 404    | 404  | 200
get root            | 404  | 200  | 200    | 200  | 200
get file            | 404  | 200  | 404    | 200  | 200
get own             | -    | -    | 200    | -    | -
get held            | 404  | 404  | 404    | 404  | 404
get trashed         | 404  | 404  | 404    | 404  | 404
get beside          | 404  | 404  | 404    | 404  | 200
download file       | 404  | 200  | 404    | 200  | 200
download own        | -    | -    | 200    | -    | -
download held       | 404  | 404  | 404    | 404  | 404
preview file        | 404  | 200  | 404    | 200  | 200
preview held        | 404  | 404  | 404    | 404  | 404
thumbnail file      | 404  | 200  | 404    | 200  | 200
thumbnail held      | 404  | 404  | 404    | 404  | 404
archive root        | 404  | 200  | 200    | 200  | 200
archive folder      | 404  | 200  | 404    | 200  | 200
archive-items held  | 404  | 404  | 404    | 404  | 404
tags-of file        | 404  | 200  | 404    | 200  | 200
tags-of held        | 404  | 404  | 404    | 404  | 404

list own-held       | -    | -    | 404    | -    | -
get own-held        | -    | -    | 200    | -    | -
get own-rejected    | -    | -    | 200    | -    | -
get rejected        | 404  | 404  | 404    | 404  | 200
get binned          | 404  | 404  | 404    | 404  | 404
download own-rejected | -  | -    | 200    | -    | -
download rejected   | 404  | 404  | 404    | 404  | 403
download binned     | 404  | 404  | 404    | 404  | 404
preview rejected    | 404  | 404  | 404    | 404  | 403
thumbnail rejected  | 404  | 404  | 404    | 404  | 403
archive-items rejected | 404 | 404 | 404   | 404  | 404
tags-of rejected    | 404  | 404  | 404    | 404  | 403

upload root         | 404  | 403  | 201    | 201  | 201
upload folder       | 404  | 403  | 404    | 201  | 201
upload trashed      | 404  | 404  | 404    | 404  | 404
replace root        | 404  | 403  | 403    | 201  | 201
content file        | 404  | 403  | 404    | 403  | 403
content own         | -    | -    | 403    | -    | -
content held        | 404  | 404  | 404    | 404  | 404
content root        | 404  | 403  | 403    | 404  | 404
make-folder root    | 404  | 403  | 403    | 201  | 201
make-folder folder  | 404  | 403  | 404    | 201  | 201

rename file         | 404  | 403  | 404    | 200  | 200
rename own          | -    | -    | 403    | -    | -
rename folder       | 404  | 403  | 404    | 200  | 200
date file           | 404  | 403  | 404    | 200  | 200
date own            | -    | -    | 403    | -    | -
date held           | 404  | 404  | 404    | 404  | 404
date rejected       | 404  | 404  | 404    | 404  | 403
rename held         | 404  | 404  | 404    | 404  | 404
rename root         | 404  | 403  | 403    | 403  | 200;403
move file           | 404  | 403  | 404    | 200  | 200
move held           | 404  | 404  | 404    | 404  | 404
move root           | 404  | 403  | 403    | 403  | 200;403
carry-off file      | 404  | 403  | 404    | 200  | 200
carry-off own       | -    | -    | 403    | -    | -
trash file          | 404  | 403  | 404    | 200  | 200
trash own           | -    | -    | 403    | -    | -
trash held          | 404  | 404  | 404    | 404  | 404
trash root          | 404  | 403  | 403    | 403  | 200;403
describe file       | 404  | 403  | 404    | 200  | 200
describe own        | -    | -    | 403    | -    | -
describe held       | 404  | 404  | 404    | 404  | 404

trash own-held      | -    | -    | 200    | -    | -
trash own-rejected  | -    | -    | 200    | -    | -
content own-held    | -    | -    | 200    | -    | -
content own-rejected | -   | -    | 200    | -    | -
rename own-held     | -    | -    | 403    | -    | -
move own-held       | -    | -    | 403    | -    | -
carry-off own-rejected | - | -    | 403    | -    | -
describe own-rejected | -  | -    | 403    | -    | -
trash rejected      | 404  | 404  | 404    | 404  | 200
content rejected    | 404  | 404  | 404    | 404  | 403
rename rejected     | 404  | 404  | 404    | 404  | 403
move rejected       | 404  | 404  | 404    | 404  | 403
carry-off rejected  | 404  | 404  | 404    | 404  | 403
describe rejected   | 404  | 404  | 404    | 404  | 403
permanent rejected  | 404  | 404  | 404    | 404  | 409
restore binned      | 404  | 404  | 404    | 404  | 200
permanent binned    | 404  | 404  | 404    | 404  | 200

restore trashed     | 404  | 404  | 404    | 200  | 200
permanent trashed   | 404  | 404  | 404    | 403  | 200

copy-out file       | 404  | 201  | 404    | 201  | 201
copy-out own        | -    | -    | 201    | -    | -
copy-out held       | 404  | 404  | 404    | 404  | 404
copy-in root        | 404  | 403  | 201    | 201  | 201
favorite file       | 404  | 200  | 404    | 200  | 200
favorite own        | -    | -    | 200    | -    | -
favorite held       | 404  | 404  | 404    | 404  | 404
tag file            | 404  | 200  | 404    | 200  | 200
tag own             | -    | -    | 200    | -    | -
tag held            | 404  | 404  | 404    | 404  | 404
copy-out rejected   | 404  | 404  | 404    | 404  | 403
favorite rejected   | 404  | 404  | 404    | 404  | 403
tag rejected        | 404  | 404  | 404    | 404  | 404

share file          | 404  | 403  | 404    | 403  | 201
share root          | 404  | 403  | 403    | 403  | 201
access file         | 404  | 403  | 404    | 403  | 200
access root         | 404  | 403  | 403    | 403  | 200
events file         | 404  | 403  | 404    | 200  | 200
events held         | 404  | 404  | 404    | 404  | 404
share rejected      | 404  | 404  | 404    | 404  | 403
access rejected     | 404  | 404  | 404    | 404  | 403
events rejected     | 404  | 404  | 404    | 404  | 403
`

/** What the calls act on. */
export type Kind =
  | ('root' | 'folder' | 'file' | 'trashed' | 'beside')
  | ('own' | 'own-held' | 'own-rejected' | 'held' | 'rejected' | 'binned')

let count = 0
export function unique(name: string): string {
  count += 1
  return `${name}-${count}`
}

/** Makes a user for a call to act on. */
type NewUser = () => Promise<BuiltUser>
export type Send = (client: TestClient, item: FileDetails, newUser: NewUser) => Promise<Response>

const json = (client: TestClient, method: string, path: string, body: object = {}) =>
  client.raw(`/api${path}`, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const sendFile = (client: TestClient, parentId: number, more: Record<string, string> = {}) => {
  const form = new FormData()
  for (const [name, value] of Object.entries({ parent_id: String(parentId), name: unique('new'), ...more })) {
    form.set(name, value)
  }
  form.set('file', new Blob(['bytes']), 'file.bin')
  return client.raw('/api/files/upload', { method: 'POST', body: form })
}

export const calls: Record<string, Send> = {
  list: (client, { id }) => client.raw(`/api/files?parent_id=${id}`),
  size: (client, { id }) => client.raw(`/api/files/${id}/size`),
  get: (client, { id }) => client.raw(`/api/files/${id}`),
  download: (client, { id }) => client.raw(`/api/files/${id}/download`),
  preview: (client, { id }) => client.raw(`/api/files/${id}/preview`),
  thumbnail: (client, { id }) => client.raw(`/api/files/${id}/thumbnail`),
  archive: (client, { id }) => client.raw(`/api/files/${id}/archive`),
  'archive-items': (client, { id }) => json(client, 'POST', '/files/archive', { ids: [id] }),
  'tags-of': (client, { id }) => client.raw(`/api/files/${id}/tags`),
  upload: (client, { id }) => sendFile(client, id),
  content: (client, { id }) => {
    const form = new FormData()
    form.set('file', new Blob(['new content']), 'file.bin')
    return client.raw(`/api/files/${id}/content`, { method: 'PUT', headers: { 'if-match': '*' }, body: form })
  },
  replace: (client, { id }) => sendFile(client, id, { on_conflict: 'replace' }),
  'make-folder': (client, { id }) => json(client, 'POST', '/files/folders', { name: unique('made'), parent_id: id }),
  rename: (client, { id }) => json(client, 'PUT', `/files/${id}/rename`, { name: unique('renamed') }),
  date: (client, { id }) => json(client, 'PUT', `/files/${id}/modified-at`, { modified_at: '2026-01-02T03:04:05Z' }),
  move: async (client, item) => {
    const { id, parent_id } = item
    return json(client, 'PUT', `/files/${id}/move`, { parent_id, name: unique('moved') })
  },
  'carry-off': (client, { id }) => json(client, 'PUT', `/files/${id}/move`, { parent_id: null }),
  trash: (client, { id }) => json(client, 'PUT', `/files/${id}/trash`),
  describe: (client, { id }) => json(client, 'PUT', `/files/${id}/metadata`, { metadata: [] }),
  restore: (client, { id }) => json(client, 'PUT', `/files/${id}/restore`),
  permanent: (client, { id }) => client.raw(`/api/files/${id}/permanent`, { method: 'DELETE' }),
  'copy-out': (client, { id }) => json(client, 'POST', `/files/${id}/copy`, { parent_id: null }),
  'copy-in': async (client, { id }) => {
    const own = await client.upload('own bytes', { name: unique('own') })
    return json(client, 'POST', `/files/${own.id}/copy`, { parent_id: id })
  },
  favorite: (client, { id }) => json(client, 'PUT', `/files/${id}/favorite`, { is_favorite: true }),
  tag: async (client, { id }) => {
    const { tag } = await client.call(createTag, { name: unique('tag'), color: '#22C55E' })
    return json(client, 'POST', '/tags/tag-files', { tag_id: tag.id, file_ids: [id] })
  },
  share: async (client, { id }, newUser) => {
    const { id: userId } = await newUser()
    return json(client, 'POST', '/shares', { item_id: id, user_id: userId, level: 'view' })
  },
  access: (client, { id }) => client.raw(`/api/files/${id}/access`),
  events: (client, { id }) => client.raw(`/api/files/${id}/events`),
}

export interface Row {
  call: string
  kind: Kind
  /** By column; null if the case does not exist. */
  told: (number | null)[]
}

export const readRows = (place: 'personal' | 'team'): Row[] =>
  table
    .trim()
    .split('\n')
    .slice(1)
    .filter(line => line !== '')
    .map(line => {
      const [name = '', ...cells] = line.split('|').map(cell => cell.trim())
      const [call = '', kind = ''] = name.split(' ')
      const told = cells.map(cell => {
        if (cell === '-') return null
        const [personal = '', team = personal] = cell.split(';')
        return Number(place === 'team' ? team : personal)
      })
      return { call, kind: kind as Kind, told }
    })
