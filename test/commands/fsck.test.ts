/** `filestore fsck` finds and names every kind of damage, repairs what can be repaired, and deletes no content. */
import { chmod, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { getFile, listFileEvents, listFiles } from '../../src/api/files.ts'
import { searchFiles } from '../../src/api/search.ts'
import { deleteFile, listTrash, trashFile } from '../../src/api/trash.ts'
import { purgeQuarantine, putAside } from '../../src/blobs/quarantine.ts'
import type { Finding } from '../../src/commands/fsck/finding.ts'
import { buildFile, buildUser } from '../support/factories.ts'
import { buildFailingDisk, unreadable } from '../support/failing-disk.ts'
import { nothingMissed } from '../support/nothing-missed.ts'
import { onlyOn } from '../support/only-on.ts'
import { expectTrueCounters, largeContent, plantThumbnail } from '../support/planting.ts'
import { startServer } from '../support/server.ts'
import { lengthen, pathOfKey } from '../support/spoil.ts'
import type { TestServer } from '../support/test-server.ts'
import type { World } from './fsck-damage.ts'
import { damages, searchDamage } from './fsck-damages.ts'
import { type FsckOutcome, runFsck, runFsckWith } from './fsck-run.ts'

let server: TestServer
let world: World
/** The names of the expected findings. */
const names = new Map<(typeof damages)[number], string>()
let quick: FsckOutcome
let whole: FsckOutcome
let repair: FsckOutcome
let after: FsckOutcome

const onSqlite = process.env.FILESTORE_TEST_DATABASE === undefined
const done = onSqlite ? [...damages, searchDamage] : damages

const isOf = (damage: (typeof damages)[number]) => (finding: Finding) =>
  finding.problem === damage.problem && finding.name === names.get(damage)

beforeAll(async () => {
  server = await startServer()
  world = { server, user: await buildUser(server), other: await buildUser(server), lost: new Map() }
  for (const damage of done) names.set(damage, await damage.spoil(world))
  quick = await runFsck(server)
  whole = await runFsck(server, '--hash')
  repair = await runFsck(server, '--hash', '--repair')
  after = await runFsck(server, '--hash')
})
afterAll(() => server.close())

describe('fsck', () => {
  test.each(damages)('reports $problem as $verdict', damage => {
    const { verdict, isHidden } = damage
    const found = { verdict, repaired: false }
    expect(quick.findings.filter(isOf(damage))).toMatchObject(isHidden ? [] : [found])
    expect(whole.findings.filter(isOf(damage))).toMatchObject([found])
  })

  test('reports damage to the search index', context => {
    onlyOn('sqlite', context)
    expect(quick.findings.filter(isOf(searchDamage))).toMatchObject([{ verdict: 'repairable' }])
  })

  test('reports nothing else, and counts the findings by verdict', () => {
    const told = (finding: Finding) => done.some(damage => isOf(damage)(finding))
    expect(whole.findings.filter(finding => !told(finding))).toEqual([])
    expect(whole.findings).toHaveLength(done.length)
    const count = (verdict: string) => done.filter(damage => damage.verdict === verdict).length
    expect(whole.counts).toEqual({
      ok: count('ok'),
      repairable: count('repairable'),
      repaired: 0,
      lost: count('lost'),
    })
    expect(whole.checked.young).toBe(1)
  })

  test('ends with code 11, and says what to do', () => {
    expect([quick.code, whole.code]).toEqual([11, 11])
    expect(whole.stderr).toContain('can be repaired: run fsck with --repair')
    expect(whole.stderr).toContain('findings lost: a backup, or another upload')
  })
})

describe('fsck --repair', () => {
  test('repairs everything except lost content', () => {
    expect(repair.code).toBe(11)
    expect(repair.findings.filter(finding => finding.verdict === 'repairable' && !finding.repaired)).toEqual([])
    expect(after.findings.filter(finding => !['lost', 'ok'].includes(finding.verdict))).toEqual([])
    expect(after.counts).toMatchObject({ repairable: 0, lost: whole.counts.lost })
    expect(after.code).toBe(11)
  })

  test('sets the counters to the sums over the files', () => expectTrueCounters(server, world.user))

  test.each(['long.bin', 'row.bin', 'aside.bin'])('makes %s readable again', async name => {
    const { files } = await world.user.call(listFiles, { limit: 200 })
    const { id, sha256 } = (await world.user.call(getFile, { id: files.find(file => file.name === name)?.id ?? 0 }))
      .file
    const response = await world.user.raw(`/api/files/${id}/download`)
    expect(response.status).toBe(200)
    const digest = await crypto.subtle.digest('SHA-256', await response.arrayBuffer())
    expect(Buffer.from(digest).toString('hex')).toBe(sha256)
  })

  test('moves items without a folder to the root, and records it as an action of the system', async () => {
    const { folders } = await world.user.call(listFiles, { limit: 200 })
    const stray = folders.find(folder => folder.name === 'in-a-file')
    expect(folders.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['parent-missing', 'parent-trashed', 'astray', 'deep', 'marked']),
    )
    const { events } = await world.user.call(listFileEvents, { id: stray?.id ?? 0 })
    expect(events[0]).toMatchObject({ action: 'file.move', actor_name: 'system', detail: { to: null } })
  })

  test('lists items in the trash that no list showed', async () => {
    const { files } = await world.user.call(listTrash, {})
    expect(files.map(({ name }) => name)).toEqual(expect.arrayContaining(['rootless', 'unlisted']))
  })

  test('makes search find a file that was missing from its index', async context => {
    onlyOn('sqlite', context)
    const { files } = await world.user.call(searchFiles, { q: 'unfindable' })
    expect(files.map(({ name }) => name)).toEqual(['unfindable'])
  })

  test('moves bytes without a row to quarantine, and keeps damaged content there permanently', async () => {
    const kept = await readdir(join(server.dataDir, 'storage', 'quarantine'))
    expect(kept.filter(name => /^\d+-/.test(name))).toHaveLength(1)
    // The content that was too long, and the content that had changed.
    expect(kept.filter(name => name.startsWith('damaged-'))).toHaveLength(2)
    await purgeQuarantine(server.deps.store, Number.MAX_SAFE_INTEGER, nothingMissed)
    const left = await readdir(join(server.dataDir, 'storage', 'quarantine'))
    expect(left.filter(name => name.startsWith('damaged-'))).toHaveLength(2)
  })

  test('leaves lost content to the next upload of the same content, which completes the repair', async () => {
    const { files } = await world.user.call(listFiles, { limit: 200 })
    const empty = files.find(file => file.name === 'empty-handed.txt')
    await world.user.call(trashFile, { id: empty?.id ?? 0 })
    await world.user.call(deleteFile, { id: empty?.id ?? 0 })
    for (const content of world.lost.values()) await buildFile(world.other, {}, content)
    for (const [id, content] of world.lost) {
      const response = await world.user.raw(`/api/files/${id}/download`)
      expect(Buffer.from(await response.arrayBuffer()).equals(content)).toBe(true)
    }
    const unnamed = { problem: 'content-unnamed', verdict: 'repairable', repaired: true }
    const last = await runFsck(server, '--hash', '--repair')
    expect(last.findings.filter(finding => finding.verdict !== 'ok')).toMatchObject([unnamed])
    const well = await runFsck(server, '--hash')
    expect(well.findings.filter(finding => finding.verdict !== 'ok')).toEqual([])
    expect(well).toMatchObject({ code: 0, verdict: 'ok', stderr: '' })
  })
})

test('unreadable content is reported, and the checks after it still run', {
  timeout: 120_000,
}, async context => {
  const env = await buildFailingDisk(context)
  const place = await startServer()
  context.onTestFinished(() => place.close())
  const user = await buildUser(place)
  const keyOf = async (name: string) => {
    const query = 'SELECT b.`key` FROM files f JOIN blobs b ON b.id = f.blob_id WHERE f.name = $1'
    return (await place.deps.db.row<{ key: string }>(query, [name]))?.key ?? ''
  }
  const image = await buildFile(user, { name: 'image.png' }, largeContent())
  const thumbnail = await plantThumbnail(place, image.id)
  await chmod(pathOfKey(place, thumbnail), unreadable)
  for (const name of ['long.bin', 'aside.bin']) {
    await buildFile(user, { name }, largeContent())
    await chmod(pathOfKey(place, await keyOf(name)), unreadable)
  }
  await lengthen(pathOfKey(place, await keyOf('long.bin')))
  await putAside(place.deps.store, await keyOf('aside.bin'), Date.now())
  const { findings } = await runFsckWith(env, place, '--hash', '--repair')
  expect(findings).toMatchObject([
    { problem: 'content-size', verdict: 'lost' },
    { problem: 'content-missing', verdict: 'lost' },
    { problem: 'thumbnail', key: thumbnail, detail: 'its bytes cannot be read (EIO)', repaired: true },
  ])
})
