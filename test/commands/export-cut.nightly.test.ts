/** `filestore export` that is stopped: the results of the previous export stay intact. */
import { readdir, readFile, rm, truncate } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { favoriteFile, getFileByPath } from '../../src/api/files.ts'
import { trashFile } from '../../src/api/trash.ts'
import { startBinary } from '../support/binary.ts'
import { buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { readHoldings } from '../support/holdings.ts'
import { plantFiles } from '../support/planted.ts'
import { until } from '../support/planting.ts'
import { pathOfKey, spoilRows } from '../support/spoil.ts'
import { dataFlags, expectRefusal, runOn } from './administration.ts'
import { large, openTreeSite, rootOf } from './trees.ts'

const site = openTreeSite()

/** So many bytes that a signal always comes before the end. */
const endless = 8 * 1024 ** 3

const favorites = Array.from({ length: 12 }, (_, n) => `favorite-${n}.txt`)

const findDrafts = async (): Promise<string[]> =>
  (await readdir(site.at('out'), { recursive: true }).catch(() => [])).filter(path => path.endsWith('.part'))

/** Makes favorites, and a large file whose name sorts before theirs. */
async function fill(): Promise<void> {
  await buildFile(site.ann, { name: 'a.bin' }, large)
  for (const name of favorites) {
    const { id } = await buildFile(site.ann, { name }, name)
    await site.ann.call(favoriteFile, { id, is_favorite: true })
  }
}

/** Makes the large file this long without using disk space. */
async function lengthen(bytes: number): Promise<void> {
  const [key = ''] = (await readHoldings(site.server)).keys
  await truncate(pathOfKey(site.server, key), bytes)
  await spoilRows(
    site.server,
    `UPDATE files SET size = ${bytes} WHERE name = 'a.bin'`,
    `UPDATE blobs SET size = ${bytes} WHERE \`key\` = '${key}'`,
  )
}

/** Stops an export while it writes the large file, which takes until then. */
async function cutExport(signal: NodeJS.Signals): Promise<number | undefined> {
  await lengthen(endless)
  await rm(site.at('out', 'ann', 'files', 'a.bin'), { force: true })
  const running = startBinary(['export', site.at('out'), '--user', 'ann', ...dataFlags(site.server)])
  const isWriting = until(async () => (await findDrafts()).some(path => path.startsWith('ann/files/')))
  const early = await Promise.race([isWriting, running])
  if (early !== undefined) expect.fail(`the export ended before it wrote the file: ${early.stderr}`)
  running.kill(signal)
  const { exitCode } = await running
  await lengthen(large.length)
  return exitCode
}

const readDetails = () => readFile(site.at('out', 'ann', 'details.json'), 'utf8')

async function importToBob() {
  const bob = await buildUser(site.server, { username: 'bob' })
  return { bob, ...(await runOn(site.server, ['import', site.at('out', 'ann'), '--user', 'bob'])) }
}

test('an export leaves a folder that moves to the trash meanwhile, and continues with the next item', async () => {
  const { id } = await buildFolder(site.ann, 'Dir')
  await plantFiles(site.server, site.ann, id, 5_000)
  await buildFile(site.ann, { name: 'z.txt' }, 'behind it')
  const running = startBinary(['export', site.at('out'), '--user', 'ann', ...dataFlags(site.server)])
  const readTree = () => readdir(site.at('out', 'ann', 'files'), { recursive: true }).catch(() => [])
  await until(async () => (await readTree()).length > 1)
  await site.ann.call(trashFile, { id })
  expect((await running).exitCode).toBe(0)
  const paths = await readTree()
  expect(paths).toContain('z.txt')
  expect(paths.length).toBeLessThan(5_000)
})

test.each(['SIGINT', 'SIGKILL'] as const)(
  'an export stopped by %s keeps the details file of the previous export',
  async signal => {
    await fill()
    await site.exportTo(site.at('out'), '--user', 'ann')
    const before = await readDetails()
    const code = await cutExport(signal)
    if (signal === 'SIGINT') expect({ code, drafts: await findDrafts() }).toEqual({ code: 130, drafts: [] })
    expect(await readDetails()).toBe(before)
    const { bob, ...outcome } = await importToBob()
    expect(outcome).toMatchObject({ code: 0, stderr: '' })
    for (const name of favorites) {
      expect((await bob.call(getFileByPath, { path: `/${name}` })).file).toMatchObject({ name, is_favorite: true })
    }
  },
)

test('partial files of a killed export are not imported, and the next export removes them', async () => {
  await fill()
  await site.exportTo(site.at('out'), '--user', 'ann')
  await cutExport('SIGKILL')
  expect((await findDrafts()).length).toBeGreaterThan(0)
  const { bob, stdout } = await importToBob()
  expect(stdout).toMatch(/^Imported 12 files /)
  expect((await rootOf(bob)).map(({ name }) => name).sort()).toEqual(favorites.toSorted())
  expect((await site.exportTo(site.at('out'), '--user', 'ann')).code).toBe(0)
  expect((await readdir(site.at('out', 'ann'))).sort()).toEqual(['details.json', 'files'])
  expect((await readdir(site.at('out', 'ann', 'files'))).sort()).toEqual(['a.bin', ...favorites].sort())
})

test.each(['SIGINT', 'SIGKILL'] as const)(
  'a first export stopped by %s cannot be imported, and the next export completes it',
  async signal => {
    await fill()
    await cutExport(signal)
    const { code, stdout, stderr } = await importToBob()
    expectRefusal({ code, stdout, stderr }, 2, `${site.at('out', 'ann')} is an export that was cut: make it again`)
    expect((await site.exportTo(site.at('out'), '--user', 'ann')).code).toBe(0)
    expect((await readdir(site.at('out', 'ann'))).sort()).toEqual(['details.json', 'files'])
    expect(Object.keys(JSON.parse(await readDetails()).items).sort()).toEqual(favorites.toSorted())
  },
)
