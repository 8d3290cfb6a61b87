/**
 * Two servers on a Galera cluster, each at a node of its own, as they may be for a moment when they leave a node. The row
 * locks of one node are unknown to the other.
 */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeEach, expect, type TestContext, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { updateUser } from '../../src/api/users.ts'
import { runOn } from '../commands/administration.ts'
import { signIn } from '../support/client.ts'
import { findMiscounts } from '../support/counters.ts'
import { type BuiltUser, buildUser } from '../support/factories.ts'
import { createGalera, type Galera } from '../support/galera.ts'
import { type Cluster, openCluster } from '../support/nodes.ts'
import { onlyOn } from '../support/only-on.ts'

let galera: Galera | undefined
let cluster: Cluster
let urls: [string, string]

async function openOnce(context: TestContext): Promise<void> {
  if (galera !== undefined) return
  galera = await createGalera(context)
  const [one, other] = galera.nodes
  cluster = await openCluster({ database: one.url })
  urls = [(await cluster.start()).url, (await cluster.start(['--database', other.url])).url]
}
beforeEach(async context => {
  onlyOn('mariadb', context)
  await openOnce(context)
})
afterAll(async () => {
  await cluster?.close()
  await galera?.remove()
})

const codesOf = (outcomes: readonly PromiseSettledResult<unknown>[]): string[] =>
  outcomes.flatMap(outcome => (outcome.status === 'rejected' ? [String(outcome.reason.code ?? outcome.reason)] : []))
const storedOf = <T>(outcomes: readonly PromiseSettledResult<T>[]): T[] =>
  outcomes.flatMap(outcome => (outcome.status === 'fulfilled' ? [outcome.value] : []))

/** Runs changes that another test makes in its own process, straight in the tables. */
const change = (sql: string) => cluster.deps.db.touch(() => cluster.deps.db.change(sql))

test('of two administrators who disable each other at once, one always stays', async () => {
  const { db } = cluster.deps
  const admins = await Promise.all(
    ['one', 'two'].map(username => buildUser({ ...cluster, url: urls[0] }, { username, role: 'admin' })),
  )
  await change("UPDATE users SET is_active = 0 WHERE username = 'admin'")
  const ended: string[] = []
  for (let round = 0; round < 30; round++) {
    await change("UPDATE users SET is_active = 1 WHERE username IN ('one', 'two')")
    const clients = await Promise.all(
      admins.map(({ username, password }, at) => signIn(urls[at as 0 | 1], username, password)),
    )
    const outcomes = await Promise.allSettled(
      clients.map((client, at) => client.call(updateUser, { id: String(admins[1 - at]?.id), is_active: false })),
    )
    ended.push(...codesOf(outcomes))
    const rows = await db.rows("SELECT username FROM users WHERE is_active = 1 AND username IN ('one', 'two')")
    expect({ round, rows }).toEqual({ round, rows: [expect.anything()] })
  }
  // The one who comes second is no administrator any more.
  expect(new Set(ended)).toEqual(new Set(['unauthenticated']))
  await change("UPDATE users SET is_active = 1 WHERE username = 'admin'")
})

test('fifty uploads at once into one space exceed no quota, and all counters are exact', async () => {
  const size = 40_000
  const [first, second] = await openBoth(25 * size)
  const uploads = Array.from({ length: 50 }, (_, file) =>
    (file % 2 === 0 ? first : second).upload(randomBytes(size), { name: `${file}.bin` }),
  )
  const outcomes = await Promise.allSettled(uploads)
  const codes = codesOf(outcomes)
  expect(codes.filter(code => !['quota_exceeded', 'unavailable'].includes(code))).toEqual([])
  const stored = storedOf(outcomes).length
  expect(stored).toBeLessThanOrEqual(25)
  expect(stored).toBeGreaterThanOrEqual(25 - codes.filter(code => code === 'unavailable').length)
  const query = 'SELECT storage_used FROM spaces WHERE owner_id = $1'
  expect(await cluster.deps.db.row(query, [first.id])).toEqual({ storage_used: stored * size })
  expect(await findMiscounts(cluster.deps.db)).toEqual([])
})

async function openBoth(storageQuota?: number) {
  const user = await buildUser({ ...cluster, url: urls[0] }, { storageQuota })
  return [user, { ...(await signIn(urls[1], user.username, user.password)), id: user.id }] as const
}

test('what one server has acknowledged, the other one shows', async () => {
  const clients = await openBoth()
  for (let round = 0; round < 100; round++) {
    const [writer, reader] = round % 2 === 0 ? clients : [clients[1], clients[0]]
    const { id } = await writer.upload(`content ${round}`, { name: `${round}.txt` })
    const { files } = await reader.call(listFiles, { limit: 1000 })
    expect(files.map(file => file.id)).toContain(id)
    expect(await (await reader.raw(`/api/files/${id}/download`)).text()).toBe(`content ${round}`)
  }
})

test('a write whose transaction the cluster has ended without a word is tried again, not acknowledged', async () => {
  const { db } = cluster.deps
  let tries = 0
  await db.touch(async () => {
    tries += 1
    await db.change("UPDATE users SET shares_seen_at = $1 WHERE username = 'admin'", [tries])
    // What another node's change does; its error may be lost before the next statement, which then only reads.
    if (tries === 1) await db.change('ROLLBACK')
    await db.row('SELECT COUNT(*) FROM users')
  })
  expect(tries).toBe(2)
  const stored = await db.row("SELECT shares_seen_at FROM users WHERE username = 'admin'")
  expect(stored).toEqual({ shares_seen_at: 2 })
})

test('of equal contents that are uploaded at one node while the other deletes the last file, none is lost', async () => {
  // In two spaces, whose locks do not keep these writes apart.
  const users = await Promise.all(urls.map(url => buildUser({ ...cluster, url })))
  const [one, other] = users as [BuiltUser, BuiltUser]
  const ended: string[] = []
  let rounds = 0
  const run = async (content: Buffer) => {
    let held: { owner: BuiltUser; id: number } | undefined
    for (let round = 0; round < 60; round++) {
      const uploader = held?.owner === one ? other : one
      if (held !== undefined) await held.owner.call(trashFile, { id: String(held.id) })
      const outcomes = await Promise.allSettled([
        uploader.upload(content, { on_conflict: 'rename' }),
        held?.owner.call(deleteFile, { id: String(held.id) }),
      ])
      ended.push(...codesOf(outcomes))
      const [uploaded] = outcomes
      held = uploaded.status === 'fulfilled' ? { owner: uploader, id: uploaded.value.id } : undefined
      if (held === undefined) continue
      const answer = await uploader.raw(`/api/files/${held.id}/download`)
      expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
      rounds++
    }
  }
  await Promise.all(Array.from({ length: 3 }, () => run(randomBytes(40_000))))
  process.stdout.write(`galera: ${rounds} equal contents whole, ${ended.length} refusals\n`)
  expect(rounds).toBeGreaterThan(100)
  expect(ended.filter(code => code !== 'unavailable')).toEqual([])
  expect(await findMiscounts(cluster.deps.db)).toEqual([])
  const { code, stdout } = await runOn(cluster, ['fsck', '--hash', '--json'])
  expect({ code, told: JSON.parse(stdout) }).toMatchObject({ code: 0, told: { findings: [] } })
})
