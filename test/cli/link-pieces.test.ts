/** Large files that a terminal without a profile sends to a link: in pieces, and further after a broken line. */
import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { maxVisitorUploads, resumableFrom } from '../../src/api/limits.ts'
import { type BuiltUser, buildFolder, buildUser } from '../support/factories.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { askUpload } from '../support/tus.ts'
import { buildLink } from '../support/visitor.ts'
import { type Fate, startBetween } from './between.ts'
import { openTerminal, runCli } from './terminal.ts'
import '../support/equal-bytes.ts'

let server: TestServer
let user: BuiltUser
beforeAll(async () => {
  server = await startServer()
  user = await buildUser(server)
})
afterAll(() => server.close())

const size = resumableFrom + 12_345
const isPiece = (name: string): boolean => name.startsWith('PATCH ')

/** A terminal with a large file, and the address of a link behind a proxy. */
async function openLarge(fateOf: (name: string) => Fate, options: Parameters<typeof buildLink>[2] = {}) {
  const folder = await buildFolder(user)
  const link = await buildLink(user, folder, { level: 'upload', ...options })
  const terminal = await openTerminal()
  const between = await startBetween(server.url, fateOf)
  const bytes = randomBytes(size)
  await writeFile(terminal.path('film.mp4'), bytes)
  return { folder, link, terminal, between, bytes, address: `${between.url}/s/${link.token}` }
}

async function expectStored({ id }: { id: number }, name: string, bytes: Buffer): Promise<void> {
  const { files } = await user.call(listFiles, { parent_id: id })
  expect(files.map(file => file.name)).toEqual([name])
  const stored = await user.raw(`/api/files/${files[0]?.id}/download`)
  expect(Buffer.from(await stored.arrayBuffer())).toEqual(bytes)
}

const unfinished = async ({ id }: { id: number }) =>
  server.deps.db.rows("SELECT id FROM uploads WHERE link_id = $1 AND state <> 'done'", [id])

test('goes on after the connection broke, with the password and the name that the link asks for', async () => {
  const at = 4 * 1024 ** 2
  const fates: Fate[] = [{ breakAt: at }, { breakAt: at / 2 }]
  const { folder, terminal, between, bytes, address } = await openLarge(
    name => (isPiece(name) ? (fates.shift() ?? 'forward') : 'forward'),
    { password: 'open sesame', ask_name: true },
  )
  const args = ['upload', 'film.mp4', '--to', address, '--sender', 'Anna Meier', '--password-stdin']
  const { code, stdout, stderr } = await runCli(terminal, args, 'open sesame')
  expect({ code, stdout: stdout.split('\n').at(-1) }).toEqual({ code: 0, stdout: expect.stringMatching(/ film\.mp4$/) })
  expect(stderr.replaceAll(between.url, 'there')).toBe(
    Array.from({ length: 2 }, () => 'Lost the connection to there; trying again in 1 s').join('\n'),
  )
  await expectStored(folder, 'Anna Meier - film.mp4', bytes)
  expect(between.received()).toBeLessThan(size + at)
})

test('asks for the file when the answer to its end was lost, and stores it once', async () => {
  const lost: Fate[] = ['break after', 'break after']
  const { folder, link, terminal, bytes, address } = await openLarge(name =>
    name.endsWith('/finish') ? (lost.shift() ?? 'forward') : 'forward',
  )
  const { code, stdout } = await runCli(terminal, ['upload', 'film.mp4', '--to', address, '--json'])
  expect([code, JSON.parse(stdout)]).toEqual([0, { name: 'film.mp4', size }])
  await expectStored(folder, 'film.mp4', bytes)
  expect(await unfinished(link)).toEqual([])
})

test.each([404, 405])('sends it in one request to a server that answers its beginning with %i', async status => {
  const { folder, terminal, bytes, address } = await openLarge(name => (name.includes('/uploads') ? status : 'forward'))
  expect(await runCli(terminal, ['upload', 'film.mp4', '--to', address])).toMatchObject({ code: 0, stderr: '' })
  await expectStored(folder, 'film.mp4', bytes)
})

test('sends it in one request where too many uploads of its address are unfinished', async () => {
  const { folder, link, terminal, bytes, address } = await openLarge(() => 'forward')
  const to = `/api/s/${link.token}/uploads`
  for (let begun = 0; begun < maxVisitorUploads; begun += 1) await askUpload(user, { to, length: 1 })
  expect(await runCli(terminal, ['upload', 'film.mp4', '--to', address])).toMatchObject({ code: 0, stderr: '' })
  await expectStored(folder, 'film.mp4', bytes)
  await server.deps.db.touch(() => server.deps.db.change('DELETE FROM uploads WHERE link_id = $1', [link.id]))
})

test('says why a link refuses it before any byte is sent', async () => {
  const { link, terminal, between, address } = await openLarge(() => 'forward', { max_bytes: size - 1 })
  const { code, stderr } = await runCli(terminal, ['upload', 'film.mp4', '--to', address])
  expect([code, stderr]).toEqual([6, expect.stringContaining('This link takes no more files of this size')])
  expect(between.received()).toBe(0)
  expect(await unfinished(link)).toEqual([])
})
