/** Uploads of large files from the terminal: in pieces, and further where they broke off. */
import { randomBytes } from 'node:crypto'
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { leastPieceBytes, resumableFrom } from '../../src/api/limits.ts'
import { listUploads } from '../../src/api/tus.ts'
import type { BuiltUser } from '../support/factories.ts'
import { rounds, seed } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { type Fate, startBetween } from './between.ts'
import { openUserTerminal } from './signed-in.ts'
import { runCli, startCli } from './terminal.ts'
import '../support/equal-bytes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const size = resumableFrom + 12_345

/** A user with a large file on their machine, whose requests pass a proxy. */
async function openLarge(fateOf: Parameters<typeof startBetween>[1] = () => 'forward') {
  const { user, terminal } = await openUserTerminal(server)
  const between = await startBetween(server.url, fateOf)
  terminal.env.FILESTORE_URL = between.url
  const bytes = randomBytes(size)
  await writeFile(terminal.path('film.mp4'), bytes)
  return { user, terminal, between, bytes }
}

const filesOf = async (user: BuiltUser): Promise<FileItem[]> => (await user.call(listFiles, { parent_id: null })).files
const uploadsOf = async (user: BuiltUser) => (await user.call(listUploads, {})).uploads
const isPiece = (name: string): boolean => name.startsWith('PATCH ')

async function expectStored(user: BuiltUser, bytes: Buffer): Promise<void> {
  const files = await filesOf(user)
  expect(files.map(({ name }) => name)).toEqual(['film.mp4'])
  const stored = await user.raw(`/api/files/${files[0]?.id}/download`)
  expect(Buffer.from(await stored.arrayBuffer())).toEqual(bytes)
  expect(await uploadsOf(user)).toEqual([])
}

/** Fates in turn for the pieces; what comes after them is forwarded. */
function forPieces(...fates: Fate[]): Parameters<typeof startBetween>[1] {
  return name => (isPiece(name) ? (fates.shift() ?? 'forward') : 'forward')
}

describe('upload of a large file', () => {
  test('sends it in pieces and keeps its time', async () => {
    const { user, terminal, between, bytes } = await openLarge()
    await utimes(terminal.path('film.mp4'), 1_700_000_000, 1_700_000_000)
    expect(await runCli(terminal, ['upload', 'film.mp4'])).toMatchObject({ code: 0, stderr: '' })
    await expectStored(user, bytes)
    expect((await filesOf(user))[0]?.modified_at).toBe('2023-11-14T22:13:20.000Z')
    expect(between.requests.filter(isPiece)).toHaveLength(1)
  })

  test('goes on by itself after the connection broke, and sends little twice', async () => {
    const at = 4 * 1024 ** 2
    const { user, terminal, between, bytes } = await openLarge(forPieces({ breakAt: at }, { breakAt: at / 2 }))
    const { code, stderr } = await runCli(terminal, ['upload', 'film.mp4'])
    expect({ code, stderr: stderr.replaceAll(between.url, 'there') }).toEqual({
      code: 0,
      stderr: Array.from({ length: 2 }, () => 'Lost the connection to there; trying again in 1 s').join('\n'),
    })
    await expectStored(user, bytes)
    expect(between.received()).toBeLessThan(size + at)
  })

  test('asks for the file when the answer to its end was lost, and stores it once', async () => {
    const lost = ['break after', 'break after']
    const { user, terminal, bytes } = await openLarge(name =>
      name.endsWith('/finish') ? ((lost.shift() as Fate | undefined) ?? 'forward') : 'forward',
    )
    expect((await runCli(terminal, ['upload', 'film.mp4'])).code).toBe(0)
    await expectStored(user, bytes)
  })

  test('leaves no second upload behind when the answer to its beginning was lost', async () => {
    let isFirst = true
    const { user, terminal, bytes } = await openLarge(name => {
      if (name !== 'POST /api/uploads' || !isFirst) return 'forward'
      isFirst = false
      return 'break after'
    })
    expect((await runCli(terminal, ['upload', 'film.mp4'])).code).toBe(0)
    await expectStored(user, bytes)
  })

  test.each([413, 502])('sends smaller pieces where a proxy answers a large one with %i', async status => {
    const most = 1024 ** 2
    const { user, terminal, between, bytes } = await openLarge((_name, headers) =>
      Number(headers['content-length'] ?? 0) > most ? status : 'forward',
    )
    expect(await runCli(terminal, ['upload', 'film.mp4'])).toMatchObject({ code: 0, stderr: '' })
    await expectStored(user, bytes)
    expect(between.requests.filter(isPiece).length).toBeGreaterThan(size / most)
  })

  test('gives up where a proxy takes no piece at all', async () => {
    const { user, terminal } = await openLarge((_name, headers) =>
      Number(headers['content-length'] ?? 0) >= leastPieceBytes ? 413 : 'forward',
    )
    expect(await runCli(terminal, ['upload', 'film.mp4'])).toMatchObject({ code: 6 })
    expect(await filesOf(user)).toEqual([])
  })

  test.each([404, 405])('sends it in one request to a server that answers its beginning with %i', async status => {
    const { user, terminal, bytes } = await openLarge(name => (name.includes('/api/uploads') ? status : 'forward'))
    expect(await runCli(terminal, ['upload', 'film.mp4'])).toMatchObject({ code: 0, stderr: '' })
    await expectStored(user, bytes)
  })

  test('sends no byte when the name is taken and may not be', async () => {
    const { user, terminal, between } = await openLarge()
    await user.upload('there', { name: 'film.mp4' })
    const { code, stderr } = await runCli(terminal, ['upload', 'film.mp4', '--on-conflict', 'fail'])
    expect(code).toBe(5)
    expect(stderr).toContain('film.mp4')
    expect(between.requests.filter(isPiece)).toEqual([])
    expect(await uploadsOf(user)).toEqual([])
  })

  test('sends two that look alike side by side, without mixing them', async () => {
    const { user, terminal, bytes } = await openLarge()
    const others = randomBytes(size)
    await writeFile(terminal.path('other.mp4'), others)
    for (const name of ['film.mp4', 'other.mp4']) await utimes(terminal.path(name), 1_700_000_000, 1_700_000_000)
    await mkdir(terminal.path('a'))
    await mkdir(terminal.path('b'))
    await rename(terminal.path('film.mp4'), terminal.path('a/film.mp4'))
    await rename(terminal.path('other.mp4'), terminal.path('b/film.mp4'))
    expect((await runCli(terminal, ['upload', 'a/film.mp4', 'b/film.mp4'])).code).toBe(0)
    const stored = await Promise.all(
      (await filesOf(user)).map(async ({ id }) => (await user.raw(`/api/files/${id}/download`)).arrayBuffer()),
    )
    const isThere = (wanted: Buffer) => stored.some(each => Buffer.from(each).equals(wanted))
    expect([stored.length, isThere(bytes), isThere(others)]).toEqual([2, true, true])
  })
})

describe('upload of a large file that broke off before', () => {
  /** A first command, which ends after it has sent a part. The next one is not disturbed. */
  async function breakOff() {
    let phase: 'first piece' | 'blocked' | 'over' = 'first piece'
    const opened = await openLarge(name => {
      if (phase === 'over' || (phase === 'first piece' && !isPiece(name))) return 'forward'
      const fate: Fate = phase === 'first piece' ? { breakAt: 5_000_000 } : 403
      phase = 'blocked'
      return fate
    })
    await utimes(opened.terminal.path('film.mp4'), 1_700_000_000, 1_700_000_000)
    expect((await runCli(opened.terminal, ['upload', 'film.mp4'])).code).not.toBe(0)
    phase = 'over'
    const [begun] = await uploadsOf(opened.user)
    expect(begun).toMatchObject({ name: 'film.mp4', path: '/', length: size, state: 'open' })
    // The server notices the broken line a moment later.
    await expect.poll(async () => (await uploadsOf(opened.user))[0]?.received).toBeGreaterThan(4_000_000)
    return { ...opened, id: begun?.id ?? '' }
  }

  test('goes on with the same command, and sends only the rest', async () => {
    const { user, terminal, between, bytes } = await breakOff()
    expect(await runCli(terminal, ['upload', 'film.mp4'])).toMatchObject({ code: 0, stderr: '' })
    await expectStored(user, bytes)
    expect(between.received()).toBeLessThan(size + 1_000_000)
  })

  test('starts over when the file has other bytes now, and the same size and time', async () => {
    const { user, terminal } = await breakOff()
    const others = randomBytes(size)
    await writeFile(terminal.path('film.mp4'), others)
    await utimes(terminal.path('film.mp4'), 1_700_000_000, 1_700_000_000)
    expect(await runCli(terminal, ['upload', 'film.mp4'])).toMatchObject({ code: 0, stderr: '' })
    await expectStored(user, others)
  })

  test('leaves it alone when the file has another time', async () => {
    const { user, terminal, id } = await breakOff()
    await utimes(terminal.path('film.mp4'), 1_700_000_001, 1_700_000_001)
    expect((await runCli(terminal, ['upload', 'film.mp4'])).code).toBe(0)
    expect((await uploadsOf(user)).map(upload => upload.id)).toEqual([id])
  })

  test('--discard drops the one that is named', async () => {
    const { user, terminal, id } = await breakOff()
    const { code, stdout } = await runCli(terminal, ['upload', '--discard', id])
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: [
        expect.stringMatching(/^ID +SENT +SIZE +KEPT UNTIL +PATH$/),
        expect.stringMatching(new RegExp(`^${id} .* 8.01 MB .* /film\\.mp4$`)),
      ],
    })
    expect(await uploadsOf(user)).toEqual([])
    expect(await runCli(terminal, ['upload', '--discard', id])).toMatchObject({ code: 4 })
  })

  test('--discard without ids lists them and asks', async () => {
    const { user, terminal, id } = await breakOff()
    const refused = await runCli(terminal, ['upload', '--discard'])
    expect(refused.code).toBe(2)
    expect(refused.stdout).toContain(id)
    expect(refused.stderr).toContain('--yes')
    expect(await uploadsOf(user)).toHaveLength(1)
    expect(await runCli(terminal, ['upload', '--discard', '--yes', '--json'])).toMatchObject({ code: 0 })
    expect(await uploadsOf(user)).toEqual([])
    const none = await runCli(terminal, ['upload', '--discard'])
    expect(none).toMatchObject({ code: 0, stderr: 'There is no unfinished upload' })
  })
})

/** The same places in `npm test`, others each night. */
function* randomPlaces(count: number, below: number): Generator<number> {
  let state = seed
  for (let index = 0; index < count; index += 1) {
    state = (state * 48_271) % 2_147_483_647
    yield state % below
  }
}

test('an upload that is killed at any byte goes on with the same command, and sends little twice', async () => {
  for (const place of randomPlaces(rounds(1, 50), size)) {
    const { user, terminal, between, bytes } = await openLarge()
    const running = startCli(terminal, ['upload', 'film.mp4'])
    await Promise.race([between.whenReceived(place), running])
    running.kill('SIGKILL')
    await running
    expect(await runCli(terminal, ['upload', 'film.mp4'])).toMatchObject({ code: 0 })
    await expectStored(user, bytes)
    expect(between.received()).toBeLessThan(size + 4 * 1024 ** 2)
  }
}, 600_000)
