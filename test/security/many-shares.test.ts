/** However much one user shares with another, a call that looks it up keeps nobody waiting. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hashToken } from '../../src/access/link-account.ts'
import { batchFiles } from '../../src/api/files.ts'
import { maxTreeDepth } from '../../src/api/limits.ts'
import { listAccess } from '../../src/api/shares.ts'
import type { Database } from '../../src/db/database.ts'
import type { Owner } from '../bench/place.ts'
import { plantFolder } from '../bench/plant.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { findLongestPause, shortPause } from '../support/longest-pause.ts'
import { plant } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'

let server: TestServer
let giver: BuiltUser
let reader: BuiltUser
/** Nested folders, the topmost first. */
let chain: number[]
beforeAll(async () => {
  server = await startServer()
  giver = await buildUser(server)
  reader = await buildUser(server)
  chain = await plant(server, giver, plantChain)
})
afterAll(() => server.close())

async function plantChain(db: Database, owner: Owner): Promise<number[]> {
  const folders: number[] = []
  while (folders.length < maxTreeDepth - 3) {
    folders.push(await plantFolder(db, owner, folders.at(-1) ?? null, 'chain'))
  }
  return folders
}

/** Makes groups of the reader, and shares each folder of the chain with each of them. */
async function plantShares(db: Database, { userId, spaceId }: Owner, groups: number): Promise<void> {
  const names = Array.from({ length: groups }, (_, n) => ({
    name: `g${n}`,
    name_key: `g${n}`,
    kind: 'listed' as const,
  }))
  const ids = await db.insertIds(db.userGroups, names, ['name'])
  await db.insertAll(
    db.groupMembers,
    ids.map(group_id => ({ user_id: reader.id, group_id, created_at: 1 })),
  )
  const given = { space_id: spaceId, user_id: null, level: 'edit' as const, created_by: userId, created_at: 1 }
  for (const item_id of chain) {
    await db.insertAll(
      db.shares,
      ids.map(group_id => ({ ...given, item_id, group_id, expires_at: null })),
    )
  }
}

test('items below a hundred folders that are shared forty times are marked without a long pause', async () => {
  const ids = await plant(server, giver, async (db, owner) => {
    await plantShares(db, owner, 40)
    const items: number[] = []
    for (let n = 0; n < 250; n++) {
      const folder = await plantFolder(db, owner, chain.at(-1) ?? null, `folder ${n}`)
      items.push(await plantFolder(db, owner, folder, 'inner'))
    }
    return items
  })
  const pause = await findLongestPause(async () => {
    const { results } = await reader.call(batchFiles, { action: 'favorite', ids, is_favorite: true })
    expect(results.map(({ ok }) => ok)).toEqual(ids.map(() => true))
  })
  expect(pause).toBeLessThan(shortPause)
})

/** Plants links on each folder of the chain; returns how many. */
async function plantLinks(db: Database, { userId, spaceId }: Owner, each: number): Promise<number> {
  const terms = {
    ...{ space_id: spaceId, token_sealed: '', level: 'view' as const, label: null, password_hash: null },
    ...{ created_by: userId, created_at: 1, expires_at: null, max_downloads: null, max_bytes: null },
    ...{ ask_name: 0 as const, is_active: 1 as const, opened: 0, downloads: 0, uploads: 0, bytes_in: 0 },
    last_used_at: null,
  }
  const rows = Array.from({ length: each }, (_, n) =>
    chain.map(item_id => ({ ...terms, item_id, token_hash: hashToken(`${item_id} ${n}`) })),
  ).flat()
  await db.insertAll(db.links, rows)
  return rows.length
}

test('who has access by thousands of links is read a thousand rows at a time, and their maker once', async () => {
  const count = await plant(server, giver, (db, owner) => plantLinks(db, owner, 40))
  const { db } = server.deps
  const { rows, page } = db
  const read: { sql: string; count: number }[] = []
  const keep = <Row>(sql: string, found: Row[]): Row[] => {
    read.push({ sql, count: found.length })
    return found
  }
  db.rows = async (sql, bind) => keep(sql, await rows(sql, bind))
  db.page = async (columns, rest, bind, most) =>
    keep(Object.values(columns).join() + rest, await page(columns, rest, bind, most))
  try {
    const { access } = await giver.call(listAccess, { id: chain.at(-1) ?? 0 })
    const links = access.flatMap(({ link_id, works }) => (link_id !== null && works ? [link_id] : []))
    expect(links).toHaveLength(count)
    expect(links).toEqual([...links].sort((a, b) => a - b))
  } finally {
    Object.assign(db, { rows, page })
  }
  const linksRead = read.filter(({ sql }) => sql.includes('FROM links')).map(({ count }) => count)
  expect(Math.max(...linksRead)).toBeLessThanOrEqual(1000)
  const permissionsRead = read.filter(({ sql }) => sql.includes('FROM role_permissions')).map(({ count }) => count)
  expect(permissionsRead.reduce((sum, count) => sum + count, 0)).toBeLessThan(20)
})
