/**
 * Every kind of caller × every item in a shared place × the calls about items, compared with one table: in a folder that
 * a user shares, and in a team folder.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFolder } from '../../src/api/files.ts'
import type { FileDetails, ValidationStatus } from '../../src/api/items.ts'
import { permissionKeys } from '../../src/api/permissions.ts'
import type { ShareLevel } from '../../src/api/share-levels.ts'
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
import { calls, type Kind, type Row, readRows, type Send, unique } from './place-calls.ts'

type Column = 'none' | ShareLevel
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

const newUser = () => buildUser(server)

async function upload(client: TestClient, parentId: number, status: ValidationStatus): Promise<FileDetails> {
  const file = await client.upload(png, { name: `${unique('file')}.png`, parent_id: parentId })
  if (status !== 'pending') await reviewer.call(decideFile, { file_id: file.id, status })
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

/** The kinds of files that are not approved. */
const statusOf: Partial<Record<Kind, ValidationStatus>> = {
  held: 'pending',
  rejected: 'rejected',
  binned: 'rejected',
  'own-held': 'pending',
  'own-rejected': 'rejected',
}

/** A new item of a kind in the place; a trashed one was approved, and in a folder of its own. */
async function buildItem(scene: Scene, kind: Kind, caller: BuiltUser): Promise<FileDetails> {
  const { owner, root, beside } = scene
  if (kind === 'root') return root
  if (kind === 'beside') return beside
  if (kind === 'folder') return (await owner.call(createFolder, { name: unique('folder'), parent_id: root.id })).file
  const status = statusOf[kind] ?? 'approved'
  if (kind.startsWith('own')) return upload(caller, root.id, status)
  const file = await upload(another, root.id, status)
  if (kind === 'trashed') await owner.call(trashFile, { id: file.id })
  // Who puts files into the place may change them there, and throw them away.
  if (kind === 'binned') await another.call(trashFile, { id: file.id })
  return file
}

/** Calls after which the item is as it was. */
const reading = 'list size get download preview thumbnail archive archive-items tags-of access events'.split(' ')
const items = new Map<string, FileDetails>()

/** An item that all calls share that do not change it, as those that are refused. */
async function findItem(scene: Scene, kind: Kind, caller: BuiltUser): Promise<FileDetails> {
  const key = `${scene.root.id} ${kind} ${kind.startsWith('own') ? caller.id : ''}`
  const item = items.get(key) ?? (await buildItem(scene, kind, caller))
  items.set(key, item)
  return item
}

const columns = ['none', 'view', 'upload', 'edit', 'manage'] as const

/** The statuses of one row, for each caller. */
async function runRow(scene: Scene, { call, kind, told }: Row): Promise<Record<string, number>[]> {
  const [got, wanted]: Record<string, number>[] = [{}, {}]
  for (const [index, column] of columns.entries()) {
    const status = told[index]
    if (status === null || status === undefined) continue
    for (const [at, caller] of scene.callers[column].entries()) {
      const isShared = status >= 400 || reading.includes(call)
      const item = await (isShared ? findItem : buildItem)(scene, kind, caller)
      const response = await (calls[call] as Send)(caller, item, newUser)
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
        const response = await (calls[call] as Send)(client, held, newUser)
        await response.arrayBuffer()
        expect([call, response.status]).toEqual([call, 200])
      }
    }
  })
})
