/**
 * Groups, team folders, shares, the marks on what others share, and keys for one folder: a restored server has them as
 * they were, and each damage to their rows is named by `fsck`, `backup`, `--verify` and `restore`.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { favoriteFile, listFavorites } from '../../src/api/files.ts'
import { hideShare, listReceived } from '../../src/api/shares.ts'
import { listSpaces } from '../../src/api/spaces.ts'
import { openClient, signIn, type TestClient } from '../support/client.ts'
import {
  type BuiltUser,
  buildFile,
  buildFolder,
  buildGroup,
  buildKey,
  buildShare,
  buildTeam,
  buildUser,
} from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
let ben: BuiltUser
let key: Awaited<ReturnType<typeof buildKey>>

/** A folder of Ann's that Ben has, with a file that is his favorite; a hidden one that he has by a group; a team folder. */
async function shareAll(): Promise<void> {
  const folder = await buildFolder(ann, 'Plans')
  const file = await buildFile(ann, { name: 'plan.txt', parent_id: folder.id }, 'a plan')
  await buildShare(ann, folder, ben, 'edit')
  await ben.call(favoriteFile, { id: file.id, is_favorite: true })
  const group = await buildGroup(admin, [ann, ben])
  const hidden = await buildShare(ann, await buildFolder(ann, 'Hidden'), { group_id: group.id }, 'view')
  await ben.call(hideShare, { id: hidden.id, hidden: true })
  const team = await buildTeam(admin, ann, 'Accounts')
  await buildFile(ann, { name: 'of all.txt', parent_id: team.folder_id })
  await buildShare(ann, { id: team.folder_id }, { group_id: group.id }, 'edit')
  await buildShare(ann, await buildFolder(ann, 'Minutes', team.folder_id), ben, 'view')
  for (const name of ['Letter.txt', 'Notes.txt']) await buildShare(ann, await buildFile(ann, { name }), ben, 'view')
  key = await buildKey(server, ben, ['files:read'], 'script', { scope_id: folder.id })
}

beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server, { username: 'ann' })
  ben = await buildUser(server, { username: 'ben' })
  await shareAll()
})
afterAll(() => server.close())

const tables = ['spaces', 'user_groups', 'group_members', 'shares', 'share_hides', 'favorites', 'api_keys', 'settings']

/** The rows of each table; without revisions, which a restore raises. */
const readTables = (site: backups.Site) =>
  backups.withDatabaseOf(site, async db => {
    const rowsOf = (table: string) => db.rows<{ revision?: number }>(`SELECT * FROM ${table} ORDER BY 1, 2`)
    const read = async (table: string) => (await rowsOf(table)).map(({ revision: _, ...row }) => ({ table, ...row }))
    return (await Promise.all(tables.map(read))).flat()
  })

/** What Ben sees of what others share, and what his key for one folder does. */
async function look(url: string, headers: Record<string, string>, client: TestClient) {
  const withKey = await openClient(url, headers).raw('/api/files')
  return {
    received: (await client.call(listReceived, {})).shares,
    favorites: await client.call(listFavorites, {}),
    spaces: await client.call(listSpaces, {}),
    withKey: await withKey.json(),
  }
}

test('a restored server has all sharing as it was, for its users and their keys', async () => {
  const [folder, site] = [await backups.openFolder(), await backups.openSite()]
  const before = await look(server.url, key.headers, ben)
  const rows = await readTables(server)
  await backups.backUp(server, folder)
  await backups.restore(folder, site)
  expect(await readTables(site)).toEqual(rows)
  expect(await runFsck(site)).toMatchObject({ code: 0, findings: [] })
  const restored = await backups.serveSite(site)
  const again = await signIn(restored.url, ben.username, ben.password)
  expect(await look(restored.url, key.headers, again)).toEqual(before)
})

interface Damage {
  what: string
  statement: string
  /** In the problems of backup, --verify and restore. */
  told: RegExp
  /** The problem of fsck's finding, and its name or detail. */
  found: [problem: string, words: RegExp]
}

const shareOf = (name: string) =>
  `id IN (SELECT id FROM (SELECT s.id FROM shares s JOIN files f ON f.id = s.item_id WHERE f.name = '${name}') x)`

const damages: Damage[] = [
  {
    what: 'a share that is for nobody',
    statement: `UPDATE shares SET user_id = NULL WHERE ${shareOf('Plans')}`,
    told: /^shares \d+: it is for nobody/,
    found: ['share-of-nobody', /ann:\/Plans/],
  },
  {
    what: 'a share that is for a user and a group',
    statement: `UPDATE shares SET user_id = 1 WHERE ${shareOf('Hidden')}`,
    told: /^shares \d+: it is for nobody, or for both/,
    found: ['share-of-nobody', /ann:\/Hidden/],
  },
  {
    what: 'a share of a file that makes a manager',
    statement: `UPDATE shares SET level = 'manage' WHERE ${shareOf('Letter.txt')}`,
    told: /^shares \d+: its level is one that its item cannot have/,
    found: ['share-level', /ann:\/Letter\.txt/],
  },
  {
    what: 'a share of a folder in a team folder that makes a manager',
    statement: `UPDATE shares SET level = 'manage' WHERE ${shareOf('Minutes')}`,
    told: /^shares \d+: its level is one that its item cannot have/,
    found: ['share-level', /Minutes/],
  },
  {
    what: 'a share to upload into a file',
    statement: `UPDATE shares SET level = 'upload' WHERE ${shareOf('Notes.txt')}`,
    told: /^shares \d+: its level is one that its item cannot have/,
    found: ['share-level', /ann:\/Notes\.txt/],
  },
  {
    what: 'a share with a missing user',
    statement:
      "INSERT INTO shares (space_id, item_id, user_id, level, created_at) SELECT space_id, id, 7777, 'view', 1 FROM files WHERE name = 'Plans'",
    told: /^table shares: rows with user_id 7777, of which there is none in users/,
    found: ['dangling-row', /user_id 7777/],
  },
  {
    what: 'a share of a missing item',
    statement: "INSERT INTO shares (space_id, item_id, user_id, level, created_at) VALUES (1, 7777, 1, 'view', 1)",
    told: /^table shares: rows with item_id 7777, of which there is none in files/,
    found: ['dangling-row', /item_id 7777/],
  },
  {
    what: 'a member of a missing group',
    statement: 'INSERT INTO group_members (user_id, group_id) VALUES (1, 7777)',
    told: /^table group_members: rows with group_id 7777, of which there is none in user_groups/,
    found: ['dangling-row', /group_id 7777/],
  },
  {
    what: 'a missing member of a group',
    statement: 'INSERT INTO group_members (user_id, group_id) SELECT 7778, MAX(id) FROM user_groups',
    told: /^table group_members: rows with user_id 7778, of which there is none in users/,
    found: ['dangling-row', /user_id 7778/],
  },
  {
    what: 'a hidden share that is missing',
    statement: 'INSERT INTO share_hides (user_id, share_id) VALUES (1, 7777)',
    told: /^table share_hides: rows with share_id 7777, of which there is none in shares/,
    found: ['dangling-row', /share_id 7777/],
  },
  {
    what: 'a favorite that is missing',
    statement: 'INSERT INTO favorites (user_id, file_id) VALUES (1, 7777)',
    told: /^table favorites: rows with file_id 7777, of which there is none in files/,
    found: ['dangling-row', /file_id 7777/],
  },
  {
    what: 'a team space without its folder',
    statement:
      "INSERT INTO spaces (kind, owner_id, storage_used, storage_quota, item_count, revision) VALUES ('team', 1, 0, 1, 0, 0)",
    told: /^spaces \d+: it is that of a team folder, and has not exactly one folder at its top/,
    found: ['team-root', /team space/],
  },
  {
    what: 'a team space with two items at its top',
    statement: "UPDATE files SET parent_id = NULL WHERE name = 'of all.txt'",
    told: /^spaces \d+: it is that of a team folder/,
    found: ['team-root', /team space/],
  },
  {
    what: 'a group that has become that of all users',
    statement: "UPDATE user_groups SET kind = 'everyone' WHERE name LIKE 'group-%'",
    told: /^user_groups \d+: its kind is not what follows/,
    found: ['row-value', /user_groups \d+/],
  },
  {
    what: 'a second group of all users',
    statement: "INSERT INTO user_groups (name, name_key, kind) VALUES ('All of us', 'all of us', 'everyone')",
    told: /^user_groups \d+: its kind is not what follows/,
    found: ['row-value', /user_groups \d+/],
  },
  {
    what: 'a file whose content is said to be of a user who never was',
    statement: "UPDATE files SET content_by = 777777 WHERE name = 'plan.txt'",
    told: /^table users: ids up to 777777 were given/,
    found: ['last-id', /table users/],
  },
  {
    what: 'the group of all users missing',
    statement: "DELETE FROM user_groups WHERE name = 'Everyone'",
    told: /^table user_groups: the row 'everyone' is missing/,
    found: ['group', /group Everyone/],
  },
  {
    what: 'a switch of sharing missing',
    statement: "DELETE FROM settings WHERE `key` = 'sharing_people'",
    told: /^table settings: the row 'sharing_people' is missing/,
    found: ['setting-missing', /sharing_people/],
  },
  {
    what: 'a permission missing',
    statement: "UPDATE permissions SET `key` = 'files:sharf' WHERE `key` = 'files:share'",
    told: /^table permissions: the row 'files:share' is missing/,
    found: ['permission', /files:share/],
  },
  {
    what: 'a right that the role admin lacks',
    statement:
      "DELETE FROM role_permissions WHERE permission_id = 1 AND role_id = (SELECT id FROM roles WHERE name = 'admin')",
    told: /^roles \d+: it lacks \d+ permissions/,
    found: ['role', /role admin it lacks/],
  },
  {
    what: 'a user without storage',
    statement:
      "INSERT INTO users (username, username_key, email, email_key, password_hash, role_id, is_active, must_change_password, created_at, updated_at) SELECT 'homeless', 'homeless', 'h@x.org', 'h@x.org', password_hash, role_id, 1, 0, 1, 1 FROM users WHERE username = 'ann'",
    told: /^users \d+: there is no storage of this user/,
    found: ['space-missing', /homeless/],
  },
  {
    what: 'a user without the form by which look-alike names are found',
    statement: "UPDATE users SET username_skeleton = NULL WHERE username = 'ben'",
    told: /^users \d+: it has no username_skeleton/,
    found: ['row-value', /users \d+ 'ben' it has no username_skeleton/],
  },
  {
    what: 'a user with two storages',
    statement:
      "INSERT INTO spaces (kind, owner_id, storage_used, storage_quota, item_count, revision) SELECT 'personal', id, 0, 1, 0, 0 FROM users WHERE username = 'ben'",
    told: /^users \d+: there are several storages of this user/,
    found: ['space-twice', /ben/],
  },
  {
    what: 'a key for a folder that was never there',
    statement: 'UPDATE api_keys SET scope_item_id = 888888',
    told: /^table files: ids up to 888888 were given/,
    found: ['last-id', /table files/],
  },
]

describe('damage to sharing', () => {
  const unchecked = () =>
    server.databaseFlag === undefined ? 'PRAGMA ignore_check_constraints = ON' : 'SET check_constraint_checks = 0'

  beforeAll(() => spoilRows(server, unchecked(), ...damages.map(({ statement }) => statement)))

  test('is named by fsck, which repairs it', async () => {
    const { findings } = await runFsck(server)
    const isFound = ({ found: [problem, words] }: Damage) =>
      findings.some(finding => finding.problem === problem && words.test(`${finding.name} ${finding.detail}`))
    expect(damages.filter(damage => !isFound(damage)).map(({ what }) => what)).toEqual([])
  })

  test('is named by backup, --verify and restore, and a repair of the restored server leaves none', async () => {
    const [folder, site] = [await backups.openFolder(), await backups.openSite()]
    const backup = await runOn(server, ['backup', folder, '--json'])
    const verified = await runOn(server, ['backup', '--verify', folder, '--json'])
    const restored = await runOn(site, ['restore', folder, '--json'])
    expect([backup.code, verified.code, restored.code]).toEqual([1, 1, 1])
    for (const { problems } of [backup, restored]
      .map(({ stdout }) => JSON.parse(stdout))
      .concat(JSON.parse(verified.stdout).snapshots)) {
      const isTold = ({ told }: Damage) => problems.some((problem: string) => told.test(problem))
      expect(damages.filter(damage => !isTold(damage)).map(({ what }) => what)).toEqual([])
    }
    await runFsck(site, '--repair')
    await runFsck(site, '--repair')
    const { findings } = await runFsck(site)
    // The folder that was made for the team space without one has no manager yet.
    expect(findings.map(({ problem, verdict, name }) => [problem, verdict, name]).sort()).toEqual([
      ['key-folder', 'ok', `api_keys ${key.id} of 'ben'`],
      ['team-unmanaged', 'ok', expect.stringMatching(/^admin:\/Team folder \d+$/)],
    ])
  })

  test('is repaired where it is', async () => {
    await runFsck(server, '--repair')
    await runFsck(server, '--repair')
    const { findings, code } = await runFsck(server)
    expect([code, findings.filter(({ verdict }) => verdict !== 'ok')]).toEqual([0, []])
  })
})
