/** A backup during writes: the restored state existed at one moment, with every content that its rows name. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { execa } from 'execa'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveFile } from '../../src/api/files.ts'
import { deleteFile, trashFile } from '../../src/api/trash.ts'
import { runBinary, serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { type BuiltUser, buildFile, buildFolder, buildUser } from '../support/factories.ts'
import { largeContent, until } from '../support/planting.ts'
import { rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { dataFlags, runOn } from './administration.ts'
import * as backups from './backups.ts'

let server: TestServer
let ann: BuiltUser

beforeEach(async () => {
  server = await startServer()
  ann = await buildUser(server)
})
afterEach(() => server.close())

/** The content of a writer's file. Each differs; about half are small enough for the database. */
const contentOf = (name: string): Buffer => {
  const seed = createHash('sha256').update(name).digest()
  return Buffer.concat(Array.from({ length: seed.readUInt8(0) % 2 === 0 ? 8 : 1100 }, () => seed))
}

/** Writes files one after the other until it is stopped, and reports each. */
async function writeFiles(writer: number, isStopped: () => boolean, onWritten: () => void): Promise<void> {
  const folders = [await buildFolder(ann), await buildFolder(ann)]
  for (let number = 0; !isStopped(); number++) {
    const name = `w${writer}-${number}`
    const { id } = await buildFile(ann, { name, parent_id: folders[0]?.id }, contentOf(name))
    await ann.call(moveFile, { id, parent_id: folders[number % 2]?.id ?? null })
    onWritten()
  }
}

/** Uploads and permanently deletes one file after the other, so that at most one exists at any moment. */
async function churnFiles(writer: number, isStopped: () => boolean): Promise<void> {
  for (let number = 0; !isStopped(); number++) {
    const { id } = await buildFile(ann, { name: `c${writer}-${number}` }, largeContent())
    await ann.call(trashFile, { id })
    await ann.call(deleteFile, { id })
  }
}

/** Expects the files of each writer without a gap, and each with its own content. */
function expectMoment(files: Map<string, Buffer>): void {
  for (const writer of [0, 1, 2]) {
    const names = [...files.keys()].filter(name => name.startsWith(`w${writer}-`))
    expect(names.sort()).toEqual(names.map((_, number) => `w${writer}-${number}`).sort())
    for (const name of names) expect(files.get(name)?.equals(contentOf(name))).toBe(true)
  }
  for (const writer of [0, 1]) {
    expect([...files.keys()].filter(name => name.startsWith(`c${writer}-`)).length).toBeLessThan(2)
  }
}

interface Way {
  name: string
  /** Makes a backup in a folder, and returns the arguments for `restore`. */
  backUp(folder: string, round: number): Promise<[string, ...string[]]>
}

const ways: Way[] = [
  {
    name: 'snapshot of a folder',
    backUp: async folder => [folder, '--snapshot', (await backups.spawnBackUp(server, folder)).snapshot],
  },
  {
    name: 'file',
    backUp: async (folder, round) => {
      const file = join(folder, `${round}.tar`)
      await backups.spawnBackUp(server, file)
      return [file]
    },
  },
]

test.each(rounds(ways.slice(0, 1), ways))(
  'a $name taken during uploads, moves and deletions restores a state that existed',
  {
    timeout: 180_000,
  },
  async ({ backUp }) => {
    // On this other disk copying takes longer.
    const folder = await backups.openFolder('/dev/shm')
    let stopped = false
    const isStopped = () => stopped
    let written = 0
    const onWritten = () => {
      written += 1
    }
    const writers = [0, 1, 2].map(writer => writeFiles(writer, isStopped, onWritten))
    const churners = [0, 1].map(writer => churnFiles(writer, isStopped))
    const made: [string, ...string[]][] = []
    try {
      // Wait for the first file: on a busy machine a backup might be taken before it.
      await until(async () => written > 0)
      for (let round = 0; round < rounds(2, 6); round++) made.push(await backUp(folder, round))
    } finally {
      stopped = true
      await Promise.all([...writers, ...churners])
    }
    let last = 0
    for (const [place, ...args] of made) {
      expect((await runOn(server, ['backup', '--verify', place])).code).toBe(0)
      const site = await backups.openSite()
      await backups.restore(place, site, ...args)
      const files = await backups.readWhole(site)
      expectMoment(files)
      expect(files.size).toBeGreaterThan(last)
      last = files.size - 2
    }
    const [place = folder, ...args] = made.at(-1) ?? []
    const site = await backups.openSite()
    await backups.restore(place, site, ...args)
    const restored = await serveBinary(dataFlags(site))
    const again = await signIn(restored.url, ann.username, ann.password)
    expect((await buildFile(again, { name: 'w0-0' })).name).toBe('w0-0')
    await restored.stop()
    expect(await runOn(site, ['fsck', '--hash'])).toMatchObject({ code: 0 })
  },
)

test('a killed backup leaves earlier snapshots complete, and the next one starts at once', {
  timeout: 180_000,
}, async () => {
  const upload = (count: number) => Promise.all(Array.from({ length: count }, () => buildFile(ann, {}, largeContent())))
  await upload(10)
  const folder = await backups.openFolder('/dev/shm')
  const first = await backups.backUp(server, folder)
  for (let round = 0; round < 5; round++) await upload(20)
  const before = (await backups.listContents(folder)).length
  const binary = join(import.meta.dirname, '../../bin/filestore.cjs')
  const running = execa(process.execPath, [binary, 'backup', folder, ...dataFlags(server)], { reject: false })
  await until(async () => (await backups.listContents(folder)).length > before + 20)
  running.kill('SIGKILL')
  expect((await running).signal).toBe('SIGKILL')
  expect(await readFile(join(folder, 'lock'), 'utf8')).toBe(`${running.pid} ${hostname()}`)
  expect(await backups.listSnapshots(folder)).toEqual([first.snapshot])
  expect((await runBinary(['backup', '--verify', folder])).exitCode).toBe(0)
  const next = await backups.backUp(server, folder)
  expect(next.outcomes.kept).toBeGreaterThan(10)
  expect(next.outcomes.kept + next.outcomes.copied).toBe(110)
  expect((await runBinary(['backup', '--verify', folder])).exitCode).toBe(0)
  const site = await backups.openSite()
  await backups.restore(folder, site)
  expect((await backups.readWhole(site)).size).toBe(110)
})
