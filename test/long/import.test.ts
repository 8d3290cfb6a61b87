/** `filestore import` of very many files, and of very large details files. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { getFileByPath } from '../../src/api/files.ts'
import { dataFlags, spawnOn } from '../commands/administration.ts'
import { openTreeSite, plant } from '../commands/trees.ts'
import { startBinary } from '../support/binary.ts'
import { buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { peakOption, readPeak } from '../support/peak-memory.ts'

const site = openTreeSite()
const MB = 1024 ** 2

/** Files of 64 bytes, each with its own content. */
const contentOf = (n: number): string => createHash('sha256').update(`${n}`).digest('hex')

async function importMeasured(...args: string[]) {
  const begun = performance.now()
  const { code, stdout, stderr } = await spawnOn(site.server, ['import', site.at('in'), '--json', ...args], '', {
    NODE_OPTIONS: peakOption,
  })
  return {
    code,
    counts: code === 0 ? JSON.parse(stdout) : stderr,
    peak: readPeak(stderr),
    ms: performance.now() - begun,
  }
}

test('an import of 100,000 files completes after a kill, with less than 300 MB of memory', async () => {
  const [folders, each] = [100, 1000]
  for (let folder = 0; folder < folders; folder++) {
    await mkdir(site.at('in', `${folder}`), { recursive: true })
    const writes = Array.from({ length: each }, (_, n) =>
      writeFile(site.at('in', `${folder}`, `${n}.txt`), contentOf(folder * each + n)),
    )
    await Promise.all(writes)
  }
  const total = folders * each
  const bob = await buildUser(site.server, { username: 'bob', storageQuota: Number.MAX_SAFE_INTEGER })
  const running = startBinary(['import', site.at('in'), '--user', 'bob', ...dataFlags(site.server)])
  const countFiles = async () =>
    (await site.server.deps.db.row<{ count: number }>('SELECT COUNT(*) AS count FROM blobs'))?.count ?? 0
  await expect.poll(countFiles, { interval: 100, timeout: 20 * 60_000 }).toBeGreaterThan(total / 2)
  running.kill('SIGKILL')
  await running
  const before = await countFiles()
  expect(before).toBeLessThan(total)
  const { code, counts, peak, ms } = await importMeasured('--user', 'bob')
  process.stdout.write(
    `killed after ${before} files; the rest in ${Math.round(ms / 1000)} s, ${Math.round(peak / MB)} MB\n`,
  )
  expect({ code, files: counts.files, unchanged: counts.unchanged }).toEqual({
    code: 0,
    files: total - before,
    unchanged: before,
  })
  expect(peak).toBeLessThan(300 * MB)
  expect(await readHoldings(site.server)).toMatchObject({
    files: total + folders,
    blobs: total,
    itemCount: total + folders,
    storageUsed: total * 64,
  })
  const { file } = await bob.call(getFileByPath, { path: '/99/999.txt' })
  expect(await (await bob.raw(`/api/files/${file.id}/download`)).text()).toBe(contentOf(total - 1))
})

test('an import reads the details of a million items, longer than a string can be, with less than 500 MB of memory', async () => {
  await plant(site.at('in'), { 'files/Docs/last.txt': 'last', 'files/first.txt': 'first' })
  const details = createWriteStream(join(site.at('in'), 'details.json'))
  details.write(
    ' { "filestore_export": 1,\n"username": "x", "exported_at": "2026-01-01T00:00:00.000Z", "tags": [],\n"items": {\n',
  )
  const comment = 'x'.repeat(500)
  for (let n = 0; n < 1_000_000; n++) {
    const path = n === 0 ? 'first.txt' : `Documents/of the year ${n % 100}/a file with number ${n}.pdf`
    const line = `"${path}": {"is_favorite":true,"validation_comment":"${comment}"},\n`
    if (!details.write(line)) await once(details, 'drain')
  }
  details.end('"Docs/last.txt": {"is_favorite":true}\n}\n}\n')
  await once(details, 'close')
  expect((await stat(site.at('in', 'details.json'))).size).toBeGreaterThan(512 * MB)
  const { code, counts, peak, ms } = await importMeasured('--user', 'ann')
  process.stdout.write(`1,000,000 items in ${Math.round(ms / 1000)} s, ${Math.round(peak / MB)} MB\n`)
  expect({ code, files: counts.files }).toEqual({ code: 0, files: 2 })
  expect(peak).toBeLessThan(500 * MB)
  for (const path of ['/first.txt', '/Docs/last.txt']) {
    expect((await site.ann.call(getFileByPath, { path })).file.is_favorite).toBe(true)
  }
})
