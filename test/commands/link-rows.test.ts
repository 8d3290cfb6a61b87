/**
 * Links: a restored server has them as they were, and each damage to their rows is named by `fsck`, `backup`, `--verify`
 * and `restore`.
 */
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deleteLink, listLinks } from '../../src/api/links.ts'
import type { LinkInfo } from '../../src/api/visits.ts'
import { signIn, type TestClient } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildTeam, buildUser } from '../support/factories.ts'
import { onlyNightly } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import { spoilRows } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import { buildLink, openVisitor } from '../support/visitor.ts'
import { runOn } from './administration.ts'
import * as backups from './backups.ts'
import { runFsck } from './fsck-run.ts'

let server: TestServer
let admin: TestClient
let ann: BuiltUser
let tokens: string[]
const password = 'open sesame now'

/** Links to folders and files of Ann, one used by a visitor, one with a password that a visitor has given. */
async function linkAll(): Promise<void> {
  const plans = await buildFolder(ann, 'Plans')
  const file = await buildFile(ann, { name: 'plan.txt' }, 'a plan')
  const terms = { level: 'both', label: 'For Ben', max_bytes: 1000, ask_name: true } as const
  tokens = [(await buildLink(ann, plans, terms)).token, (await buildLink(ann, file, { password })).token]
  await openVisitor(server.url, tokens[0] ?? '').upload('handed in', { name: 'essay.txt', sender: 'Ben' })
  await openVisitor(server.url, tokens[1] ?? '').post('/unlock', { password })
  for (const name of ['Letter.txt', 'Notes.txt', 'Hash.txt', 'Seal.txt', 'Lost.txt']) {
    await buildLink(ann, await buildFile(ann, { name }))
  }
  for (const name of ['Elsewhere', 'Team', 'Made by nobody']) await buildLink(ann, await buildFolder(ann, name))
  await buildTeam(admin, ann, 'Accounts')
}

beforeAll(async () => {
  server = await startServer()
  admin = await signIn(server.url, server.adminName, server.adminPassword)
  ann = await buildUser(server, { username: 'ann' })
  await buildUser(server, { username: 'ben' })
  await linkAll()
  await server.deps.linkUse.flush()
})
afterAll(() => server.close())

test('what a visitor does by a link with the longest label is no damage', async () => {
  const file = await buildFile(ann, { name: 'labelled.txt' })
  const { id, token } = await buildLink(ann, file, { label: 'x'.repeat(100) })
  await (await openVisitor(server.url, token).raw('/download')).arrayBuffer()
  await server.deps.journal.flush()
  expect(await runFsck(server)).toMatchObject({ code: 0, findings: [] })
  await ann.call(deleteLink, { id })
  await server.deps.db.touch(() => server.deps.db.change('DELETE FROM events WHERE link_id = $1', [id]))
})

test('fsck tells how many addresses of links a lost secret seals', async () => {
  const secret = join(server.dataDir, 'secret.key')
  await rename(secret, `${secret}.away`)
  const { findings } = await runFsck(server)
  await rename(`${secret}.away`, secret)
  expect(findings).toMatchObject([{ problem: 'secret', detail: expect.stringContaining('the addresses of 10 links') }])
})

const readRows = (site: backups.Site) =>
  backups.withDatabaseOf(site, async db => ({
    links: await db.rows('SELECT * FROM links ORDER BY id'),
    events: await db.rows('SELECT * FROM events WHERE link_id IS NOT NULL ORDER BY id'),
    received: await db.rows('SELECT id, received_by FROM files ORDER BY id'),
  }))

test('a restored server has all links as they were, with their addresses, and no visits', async () => {
  const [folder, site] = [await backups.openFolder(), await backups.openSite()]
  const before = await ann.call(listLinks, {})
  const rows = await readRows(server)
  expect([rows.links.length, rows.events.length]).toEqual([10, 1])
  await backups.backUp(server, folder)
  expect(await backups.restore(folder, site)).toMatchObject({ links: { active: 10, paused: 0 }, secret: 'restored' })
  expect(await readRows(site)).toEqual(rows)
  expect(await backups.withDatabaseOf(site, db => db.rows('SELECT * FROM link_visits'))).toEqual([])
  expect(await runFsck(site)).toMatchObject({ code: 0, findings: [] })
  const restored = await backups.serveSite(site)
  const again = await signIn(restored.url, ann.username, ann.password)
  expect(await again.call(listLinks, {})).toEqual(before)
  const info = (await openVisitor(restored.url, tokens[0] ?? '').get('')) as LinkInfo
  expect(info).toMatchObject({ name: 'Plans', level: 'both' })
  expect(await (await openVisitor(restored.url, tokens[1] ?? '').post('/unlock', { password })).status).toBe(200)
})

test('a restore says how many links may work, and --pause-links pauses all of them', async context => {
  onlyNightly(context)
  const folder = await backups.openFolder()
  await backups.backUp(server, folder)
  const told = await runOn(await backups.openSite(), ['restore', folder])
  expect(told.code).toBe(0)
  expect(told.stderr).toContain('10 links may work, also those ended or paused since this backup')
  const site = await backups.openSite()
  const paused = await runOn(site, ['restore', folder, '--pause-links'])
  expect(paused.code).toBe(0)
  expect(paused.stderr).toContain('10 links paused')
  expect(paused.stderr).not.toContain('may work')
  const query = 'SELECT COUNT(*) AS count FROM links WHERE is_active = 0'
  expect(await backups.withDatabaseOf(site, db => db.row(query))).toEqual({ count: 10 })
  const event = "SELECT detail FROM events WHERE action = 'backup.restore'"
  const [row] = await backups.withDatabaseOf(site, db => db.rows<{ detail: string }>(event))
  expect(JSON.parse(row?.detail ?? '')).toMatchObject({ paused_links: 10 })
})

interface Damage {
  what: string
  statement: string
  /** In the problems of backup, --verify and restore; null where only fsck can tell. */
  told: RegExp | null
  /** The problem of fsck's finding, and its name or detail. */
  found: [problem: string, words: RegExp]
}

const toItem = (name: string) => `item_id = (SELECT id FROM files WHERE name = '${name}')`
const newLink = "'view', 1, 0, 1, 0, 0, 0, 0"
const columns = 'level, created_at, ask_name, is_active, opened, downloads, uploads, bytes_in'
const hash = (digit: number) => `'${String(digit).repeat(64)}'`

const damages: Damage[] = [
  {
    what: 'a link in another storage than its item',
    statement: `UPDATE links SET space_id = (SELECT s.id FROM spaces s JOIN users u ON u.id = s.owner_id WHERE u.username = 'ben') WHERE ${toItem('Elsewhere')}`,
    told: null,
    found: ['link-space', /ann:\/Elsewhere/],
  },
  {
    what: 'a link that takes uploads into a file',
    statement: `UPDATE links SET level = 'upload' WHERE ${toItem('Letter.txt')}`,
    told: /^links \d+: it takes uploads, and is on a file/,
    found: ['link-level', /ann:\/Letter\.txt/],
  },
  {
    what: 'a link to look at a file and upload into it',
    statement: `UPDATE links SET level = 'both' WHERE ${toItem('Notes.txt')}`,
    told: /^links \d+: it takes uploads, and is on a file/,
    found: ['link-level', /ann:\/Notes\.txt/],
  },
  {
    what: 'a link to a team folder itself',
    statement: `UPDATE links SET ${toItem('Accounts')},
      space_id = (SELECT space_id FROM files WHERE name = 'Accounts') WHERE ${toItem('Team')}`,
    told: /^links \d+: it is on a team folder itself/,
    found: ['link-on-team-folder', /Accounts/],
  },
  {
    what: 'a link whose maker is missing',
    statement: `UPDATE links SET created_by = 7777 WHERE ${toItem('Made by nobody')}`,
    told: /^table links: rows with created_by 7777, of which there is none in users/,
    found: ['dangling-row', /created_by 7777/],
  },
  {
    what: 'a link to a missing item',
    statement: `INSERT INTO links (space_id, item_id, token_hash, token_sealed, ${columns})
      VALUES (1, 7777, ${hash(1)}, '', ${newLink})`,
    told: /^table links: rows with item_id 7777, of which there is none in files/,
    found: ['dangling-row', /item_id 7777/],
  },
  {
    what: 'a link in a missing storage',
    statement: `INSERT INTO links (space_id, item_id, token_hash, token_sealed, ${columns})
      VALUES (7778, 1, ${hash(2)}, '', ${newLink})`,
    told: /^table links: rows with space_id 7778, of which there is none in spaces/,
    found: ['dangling-row', /space_id 7778/],
  },
  {
    what: 'a visit of a missing link',
    statement: `INSERT INTO link_visits (hash, item_id, link_id, expires_at) VALUES (${hash(3)}, 0, 7779, 1)`,
    told: null,
    found: ['dangling-row', /link_id 7779/],
  },
  {
    what: 'a link with a hash that is none',
    statement: `UPDATE links SET token_hash = 'nonsense' WHERE ${toItem('Hash.txt')}`,
    told: /^links \d+: its token_hash is malformed/,
    found: ['link-hash', /ann:\/Hash\.txt/],
  },
  {
    what: 'a link whose address is damaged',
    statement: `UPDATE links SET token_sealed = 'nonsense' WHERE ${toItem('Seal.txt')}`,
    told: /^links \d+: its token_sealed is malformed/,
    found: ['link-seal', /ann:\/Seal\.txt/],
  },
  {
    what: 'a link whose hash and address are damaged',
    statement: `UPDATE links SET token_sealed = 'no', token_hash = 'nothing' WHERE ${toItem('Lost.txt')}`,
    told: /^links \d+: its token_hash is malformed/,
    found: ['link-lost', /ann:\/Lost\.txt/],
  },
  {
    what: 'a file that came by a link that never was',
    statement: "UPDATE files SET received_by = 777777 WHERE name = 'plan.txt'",
    told: /^table links: ids up to 777777 were given/,
    found: ['last-id', /table links/],
  },
  {
    what: 'the switch of links missing',
    statement: "DELETE FROM settings WHERE `key` = 'sharing_links'",
    told: /^table settings: the row 'sharing_links' is missing/,
    found: ['setting-missing', /sharing_links it is missing, and counts as 'false', which --repair makes it/],
  },
  {
    what: 'the permission to make links missing',
    statement: "UPDATE permissions SET `key` = 'files:lint' WHERE `key` = 'files:link'",
    told: /^table permissions: the row 'files:link' is missing/,
    found: ['permission', /files:link/],
  },
]

describe('damage to links', () => {
  beforeAll(() => spoilRows(server, ...damages.map(({ statement }) => statement)))

  test('is named by fsck', async () => {
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
      const isTold = ({ told }: Damage) => told === null || problems.some((problem: string) => told.test(problem))
      expect(damages.filter(damage => !isTold(damage)).map(({ what }) => what)).toEqual([])
    }
    await runFsck(site, '--repair')
    await runFsck(site, '--repair')
    expect(await runFsck(site)).toMatchObject({ code: 0, findings: [] })
    const links = await backups.withDatabaseOf(site, db =>
      db.rows<{ name: string }>(
        `SELECT f.name, l.level, l.is_active, l.created_by IS NULL AS is_of_nobody, l.token_sealed = '' AS is_untold
         FROM links l JOIN files f ON f.id = l.item_id JOIN spaces s ON s.id = l.space_id AND s.id = f.space_id
         ORDER BY f.name`,
      ),
    )
    const sound = { level: 'view', is_active: 1, is_of_nobody: 0, is_untold: 0 }
    expect(links).toEqual([
      { name: 'Elsewhere', ...sound, is_active: 0 },
      { name: 'Hash.txt', ...sound },
      { name: 'Letter.txt', ...sound, is_active: 0 },
      { name: 'Made by nobody', ...sound, is_of_nobody: 1 },
      { name: 'Notes.txt', ...sound, is_active: 0 },
      { name: 'Plans', ...sound, level: 'both' },
      { name: 'Seal.txt', ...sound, is_untold: 1 },
      { name: 'plan.txt', ...sound },
    ])
    const repairs = "SELECT COUNT(*) AS count FROM events WHERE action = 'link.repair'"
    // The level of two, and space, hash, address, the one of a team folder and the lost one.
    expect(await backups.withDatabaseOf(site, db => db.row(repairs))).toEqual({ count: 7 })
  })
})
