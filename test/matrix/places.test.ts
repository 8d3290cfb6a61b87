/**
 * Every kind of caller × every item in a shared place × the calls about items, compared with one table: in a folder that
 * a user shares, and in a team folder.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder } from '../../src/api/files.ts'
import type { FileDetails } from '../../src/api/items.ts'
import { permissionKeys } from '../../src/api/permissions.ts'
import type { ShareLevel } from '../../src/api/share-levels.ts'
import { createTag } from '../../src/api/tags.ts'
import { trashFile } from '../../src/api/trash.ts'
import { decideFile } from '../../src/api/validation.ts'
import { signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFolder,
  buildGroup,
  buildReviewer,
  buildRole,
  buildShare,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

/**
 * `own`: the caller's own hand-in, which only a dropper has; `another's` what others have put there. `held` is not
 * approved, and another's. `beside` is in the folder that holds the shared one. The columns are levels: `none` has no
 * share, and is tried as a plain user and as an administrator; `all` is the owner of a personal space, and in a team
 * folder its manager. A cell `a;b` has the answer in a personal space and in a team.
 */
const table = `
call                | none | view | upload | edit | all

list root           | 404  | 200  | 200    | 200  | 200
list folder         | 404  | 200  | 404    | 200  | 200
list trashed        | 404  | 404  | 404    | 404  | 404
list beside         | 404  | 404  | 404    | 404  | 200
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

upload root         | 404  | 403  | 201    | 201  | 201
upload folder       | 404  | 403  | 404    | 201  | 201
upload trashed      | 404  | 404  | 404    | 404  | 404
replace root        | 404  | 403  | 403    | 201  | 201
make-folder root    | 404  | 403  | 403    | 201  | 201
make-folder folder  | 404  | 403  | 404    | 201  | 201

rename file         | 404  | 403  | 404    | 200  | 200
rename own          | -    | -    | 403    | -    | -
rename folder       | 404  | 403  | 404    | 200  | 200
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

share file          | 404  | 403  | 404    | 403  | 201
share root          | 404  | 403  | 403    | 403  | 201
access file         | 404  | 403  | 404    | 403  | 200
access root         | 404  | 403  | 403    | 403  | 200
events file         | 404  | 403  | 404    | 200  | 200
events held         | 404  | 404  | 404    | 404  | 404
`

type Column = 'none' | ShareLevel
/** What the calls act on. */
type Kind = 'root' | 'folder' | 'file' | 'own' | 'held' | 'trashed' | 'beside'

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==',
  'base64',
)

interface Scene {
  /** Who owns the space, or manages the team folder. */
  owner: BuiltUser
  /** The shared folder. */
  root: FileDetails
  /** The folder that holds the shared one, or another team folder of the owner. */
  beside: FileDetails
  callers: Record<Column, BuiltUser[]>
}

let server: TestServer
let admin: TestClient
let reviewer: BuiltUser
/** Puts pending files into each place. */
let another: BuiltUser
/** A role with every permission but that of reviewers, who see what is held. */
let administrators: string
const scenes: Record<'personal' | 'team', Scene | undefined> = { personal: undefined, team: undefined }

let count = 0
const unique = (name: string) => `${name}-${(count += 1)}`

async function upload(client: TestClient, parentId: number, isApproved: boolean): Promise<FileDetails> {
  const file = await client.upload(png, { name: `${unique('file')}.png`, parent_id: parentId })
  if (isApproved) await reviewer.call(decideFile, { file_id: file.id, status: 'approved' })
  return file
}

/** Users with each level by a share of their own, and one with the level `view` by each kind of group. */
async function buildCallers(owner: BuiltUser, root: FileDetails): Promise<Scene['callers']> {
  const levels = ['view', 'upload', 'edit'] as const
  const users = await Promise.all(levels.map(() => buildUser(server)))
  for (const [index, level] of levels.entries()) await buildShare(owner, root, users[index] ?? owner, level)
  const byGroup = await buildUser(server)
  await buildShare(owner, root, { group_id: (await buildGroup(admin, [byGroup])).id }, 'view')
  const [viewer = owner, dropper = owner, editor = owner] = users
  await buildShare(owner, root, another, 'edit')
  return {
    none: [await buildUser(server), await buildUser(server, { role: administrators })],
    view: [viewer, byGroup],
    upload: [dropper],
    edit: [editor],
    manage: [owner],
  }
}

async function buildPersonal(): Promise<Scene> {
  const owner = await buildUser(server)
  const outer = await buildFolder(owner)
  const root = await buildFolder(owner, undefined, outer.id)
  return { owner, root, beside: outer, callers: await buildCallers(owner, root) }
}

async function buildTeamScene(): Promise<Scene> {
  const owner = await buildUser(server)
  const [team, other] = [await buildTeam(admin, owner), await buildTeam(admin, owner)]
  const read = async (id: number) => (await (await owner.raw(`/api/files/${id}`)).json()).data.file as FileDetails
  const root = await read(team.folder_id)
  return { owner, root, beside: await read(other.folder_id), callers: await buildCallers(owner, root) }
}

beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  await turnSettings(admin, { validation_enabled: true })
  reviewer = await buildReviewer(server)
  another = await buildUser(server)
  administrators = await buildRole(
    server,
    permissionKeys.filter(key => key !== 'validation:review'),
  )
  scenes.personal = await buildPersonal()
  scenes.team = await buildTeamScene()
})
afterAll(() => server.close())

/** A new item of a kind in the place; a trashed one was approved, and in a folder of its own. */
async function buildItem(scene: Scene, kind: Kind, caller: BuiltUser): Promise<FileDetails> {
  const { owner, root, beside } = scene
  if (kind === 'root') return root
  if (kind === 'beside') return beside
  if (kind === 'folder') return (await owner.call(createFolder, { name: unique('folder'), parent_id: root.id })).file
  if (kind === 'own') return upload(caller, root.id, true)
  const file = await upload(another, root.id, kind !== 'held')
  if (kind === 'trashed') await owner.call(trashFile, { id: file.id })
  return file
}

type Send = (client: TestClient, item: FileDetails) => Promise<Response>

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

const calls: Record<string, Send> = {
  list: (client, { id }) => client.raw(`/api/files?parent_id=${id}`),
  get: (client, { id }) => client.raw(`/api/files/${id}`),
  download: (client, { id }) => client.raw(`/api/files/${id}/download`),
  preview: (client, { id }) => client.raw(`/api/files/${id}/preview`),
  thumbnail: (client, { id }) => client.raw(`/api/files/${id}/thumbnail`),
  archive: (client, { id }) => client.raw(`/api/files/${id}/archive`),
  'archive-items': (client, { id }) => json(client, 'POST', '/files/archive', { ids: [id] }),
  'tags-of': (client, { id }) => client.raw(`/api/files/${id}/tags`),
  upload: (client, { id }) => sendFile(client, id),
  replace: (client, { id }) => sendFile(client, id, { on_conflict: 'replace' }),
  'make-folder': (client, { id }) => json(client, 'POST', '/files/folders', { name: unique('made'), parent_id: id }),
  rename: (client, { id }) => json(client, 'PUT', `/files/${id}/rename`, { name: unique('renamed') }),
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
  share: async (client, { id }) => {
    const { id: userId } = await buildUser(server)
    return json(client, 'POST', '/shares', { item_id: id, user_id: userId, level: 'view' })
  },
  access: (client, { id }) => client.raw(`/api/files/${id}/access`),
  events: (client, { id }) => client.raw(`/api/files/${id}/events`),
}

const columns = ['none', 'view', 'upload', 'edit', 'manage'] as const

interface Row {
  call: string
  kind: Kind
  /** By column; null if the case does not exist. */
  told: (number | null)[]
}

const readRows = (place: 'personal' | 'team'): Row[] =>
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

/** The statuses of one row, for each caller. */
async function runRow(scene: Scene, { call, kind, told }: Row): Promise<Record<string, number>[]> {
  const [got, wanted]: Record<string, number>[] = [{}, {}]
  for (const [index, column] of columns.entries()) {
    const status = told[index]
    if (status === null || status === undefined) continue
    for (const [at, caller] of scene.callers[column].entries()) {
      const item = await buildItem(scene, kind, caller)
      const response = await (calls[call] as Send)(caller, item)
      await response.arrayBuffer()
      Object.assign(got ?? {}, { [`${column} ${at}`]: response.status })
      Object.assign(wanted ?? {}, { [`${column} ${at}`]: status })
    }
  }
  return [got ?? {}, wanted ?? {}]
}

/** The root is changed in no row that others need: it would be gone for them. */
const changesRoot = ({ call, kind }: Row) => kind === 'root' && ['trash', 'carry-off'].includes(call)

describe.each(['personal', 'team'] as const)('in a %s space', place => {
  const rows = readRows(place).map((row): [string, Row] => [`${row.call} ${row.kind}`, row])

  test.each(rows)('%s', async (_name, row) => {
    const scene = scenes[place]
    if (scene === undefined) throw new Error('no place was built')
    const used = changesRoot(row) && place === 'personal' ? await buildPersonal() : scene
    const [got, wanted] = await runRow(used, row)
    expect(got).toEqual(wanted)
  })

  test('a reviewer opens what is held, whoever sees the place', async () => {
    const scene = scenes[place]
    if (scene === undefined) throw new Error('no place was built')
    const held = await buildItem(scene, 'held', another)
    for (const call of ['get', 'download', 'preview', 'thumbnail']) {
      for (const client of [reviewer, another]) {
        const response = await (calls[call] as Send)(client, held)
        await response.arrayBuffer()
        expect([call, response.status]).toEqual([call, 200])
      }
    }
  })
})
