/** Small files that the terminal uploads in one request: refusals, lost answers, and kills on either side. */
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { getFileByPath, listFiles } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { signIn } from '../support/client.ts'
import {
  buildField,
  buildFile,
  buildFolder,
  buildKey,
  buildTeam,
  buildUser,
  turnSettings,
} from '../support/factories.ts'
import { onlyNightly, rounds } from '../support/rounds.ts'
import { startServer } from '../support/server.ts'
import type { TestServer } from '../support/test-server.ts'
import { type Fate, startBetween } from './between.ts'
import { contentOf, filesOf, nameOf, plant } from './planted.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, runCli, startCli } from './terminal.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const one = 'POST /api/files/upload'
const many = 'POST /api/files/upload-many'
/** A user whose terminal reaches the server through a proxy, with files to upload. */
async function openBetween(count: number, fateOf: (name: string, times: number) => Fate) {
  const { user, terminal } = await openUserTerminal(server)
  await plant(terminal, count)
  const seen: Record<string, number> = {}
  const between = await startBetween(server.url, name => {
    seen[name] = (seen[name] ?? 0) + 1
    return fateOf(name, seen[name])
  })
  terminal.env.FILESTORE_URL = between.url
  return { user, terminal, ...between, times: (name: string) => between.requests.filter(each => each === name).length }
}

test('many small files of several folders go in a few requests, each with its time, bytes and metadata', async () => {
  const admin = await buildUser(server, { role: 'admin' })
  const field = await buildField(admin, { name: 'project', label: 'Project' })
  await turnSettings(admin, { metadata_enabled: true })
  const { user, terminal, times } = await openBetween(210, () => 'forward')
  await mkdir(terminal.path('tree/inner/deep'), { recursive: true })
  await writeFile(terminal.path('tree/inner/deep/empty'), '')
  await writeFile(terminal.path('tree/inner/large.bin'), Buffer.alloc(1_500_000, 'large'))
  await utimes(terminal.path('tree/inner/deep/empty'), new Date(), new Date('2019-03-04T05:06:07.000Z'))
  const { code, stdout, stderr } = await runCli(terminal, ['upload', 'tree', '-m', 'project=Moon', '--json'])
  await turnSettings(admin, { metadata_enabled: false })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const paths = (JSON.parse(stdout) as FileItem[]).map(({ path }) => path)
  expect(paths).toHaveLength(215)
  expect(paths.slice(0, 3)).toEqual(['/tree', '/tree/0000.txt', '/tree/0001.txt'])
  expect(paths.slice(-4)).toEqual([
    '/tree/inner',
    '/tree/inner/deep',
    '/tree/inner/deep/empty',
    '/tree/inner/large.bin',
  ])
  expect([times(one), times(many)]).toEqual([1, 3])
  const { file } = await user.call(getFileByPath, { path: '/tree/inner/deep/empty' })
  expect(file).toMatchObject({ size: 0, modified_at: '2019-03-04T05:06:07.000Z' })
  expect(file.metadata).toMatchObject([{ field_id: field.id, value: 'Moon' }])
  expect(await filesOf(user)).toHaveLength(210)
})

test('lookups and requests together are at most as many as --concurrency allows', async context => {
  onlyNightly(context)
  const { terminal, most, times } = await openBetween(300, () => 'forward')
  await runCli(terminal, ['upload', 'tree', '--concurrency', '3'])
  for (let index = 0; index < 200; index += 1) await writeFile(terminal.path(`tree/${nameOf(index)}`), 'changed')
  const { code, stderr } = await runCli(terminal, ['upload', 'tree', '--concurrency', '3', '--on-conflict', 'replace'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '100 files were there already' })
  expect(most()).toBe(3)
  expect(times(many)).toBe(5)
})

describe('a refused file of many', () => {
  test('is reported as if it had been sent by itself, and the others are stored', async () => {
    const { user, terminal } = await openUserTerminal(server)
    await plant(terminal, 10)
    const { id } = await buildFolder(user, 'tree')
    for (const index of [3, 7]) await buildFile(user, { name: nameOf(index), parent_id: id }, contentOf(index + 1))
    const { code, stdout, stderr } = await runCli(terminal, ['upload', 'tree', '--on-conflict', 'fail', '--json'])
    expect(code).toBe(5)
    expect(stderr.split('\n')).toEqual([
      "error: tree/0003.txt: '0003.txt' is already taken",
      "error: tree/0007.txt: '0007.txt' is already taken",
      'error: 2 of 10 items failed',
    ])
    expect((JSON.parse(stdout) as FileItem[]).map(({ name }) => name)).not.toContain('0003.txt')
    expect((await user.call(listFiles, { parent_id: id })).total).toBe(10)
  })

  test('for lack of room ends the command with code 6', async () => {
    const { user, terminal } = await openUserTerminal(server, { storageQuota: 60 })
    await plant(terminal, 10)
    const { code, stderr } = await runCli(terminal, ['upload', 'tree'])
    expect(code).toBe(6)
    expect(stderr).toContain('Storage quota exceeded')
    expect((await user.call(listFiles, {})).folders).toHaveLength(1)
  })

  test('whose metadata is wrong names the field', async () => {
    const admin = await buildUser(server, { role: 'admin' })
    const field = await buildField(admin, { label: 'Year', field_type: 'number' })
    await turnSettings(admin, { metadata_enabled: true })
    const { terminal } = await openUserTerminal(server)
    await plant(terminal, 2)
    const { code, stderr } = await runCli(terminal, ['upload', 'tree', '-m', `${field.name}=none`])
    const alone = await runCli(terminal, ['upload', 'tree/0000.txt', '-m', `${field.name}=none`])
    await turnSettings(admin, { metadata_enabled: false })
    expect([code, alone.code]).toEqual([2, 2])
    expect(stderr).toContain(`error: tree/0000.txt: ${alone.stderr.replace('error: ', '')}`)
  })
})

describe('many files for a key', () => {
  test('that may not make folders go into those that exist', async () => {
    const { user, terminal } = await openUserTerminal(server, {}, ['files:read', 'files:upload'])
    await buildFolder(user, 'There')
    await plant(terminal, 3)
    const paths = [0, 1, 2].map(index => `tree/${nameOf(index)}`)
    expect((await runCli(terminal, ['upload', ...paths, '--to', 'There'])).code).toBe(0)
    expect((await runCli(terminal, ['upload', 'tree'])).code).toBe(3)
  })

  test('for one folder go into that folder', async () => {
    const user = await buildUser(server)
    const scope = await buildFolder(user, 'Scope')
    const key = await buildKey(server, user, ['files:read', 'files:write', 'files:upload'], 'script', {
      scope_id: scope.id,
    })
    const terminal = await openTerminal({
      FILESTORE_URL: server.url,
      FILESTORE_API_KEY_ID: key.keyId,
      FILESTORE_API_SECRET: key.secret,
    })
    await plant(terminal, 5)
    expect((await runCli(terminal, ['upload', 'tree'])).code).toBe(0)
    const { file } = await user.call(getFileByPath, { path: '/Scope/tree' })
    expect((await user.call(listFiles, { parent_id: file.id })).total).toBe(5)
  })

  test('go into a team folder, below the folders of their paths', async () => {
    const { user, terminal } = await openUserTerminal(server)
    const admin = await signIn(server.url, server.adminName, server.adminPassword)
    const team = await buildTeam(admin, user, 'Together')
    await buildFolder(user, '2026', team.folder_id)
    await plant(terminal, 5)
    const { code, stdout } = await runCli(terminal, ['upload', 'tree', '--to', '@Together/2026'])
    expect({ code, stdout: stdout.split('\n')[1] }).toEqual({
      code: 0,
      stdout: '60 Bytes  @Together/2026/tree/ (5 files)',
    })
  })
})

describe('a server or proxy that does not take many files at once', () => {
  test.each(rounds([413], [404, 405, 413]))(
    '(%i) gets each by itself, as many at once as are allowed',
    async status => {
      const { user, terminal, times, most } = await openBetween(120, name => (name === many ? status : 'forward'))
      const { code, stderr } = await runCli(terminal, ['upload', 'tree', '--concurrency', '2'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect([times(many), times(one), most()]).toEqual([2, 120, 2])
      // Nothing was stored, so nothing is looked for.
      expect(times('GET /api/files/by-path')).toBe(0)
      expect(await filesOf(user)).toHaveLength(120)
    },
  )

  test('because it is busy gets them again', async () => {
    const { user, terminal, times } = await openBetween(20, (name, count) =>
      name === many && count === 1 ? 429 : 'forward',
    )
    const { code, stderr } = await runCli(terminal, ['upload', 'tree'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: 'The server is busy (HTTP 429); trying again in 1 s' })
    expect([times(many), times(one)]).toEqual([2, 0])
    expect(await filesOf(user)).toHaveLength(20)
  })
})

describe('a request with many files', () => {
  test.each(['rename', 'fail', 'replace'])('whose answer is lost stores none twice (%s)', async rule => {
    const { user, terminal, times } = await openBetween(30, (name, count) =>
      name === many && count === 1 ? 'break after' : 'forward',
    )
    const { code, stderr } = await runCli(terminal, ['upload', 'tree', '--on-conflict', rule])
    expect({ code, lines: stderr.split('\n').length }).toEqual({ code: 0, lines: 1 })
    expect(stderr).toContain('trying again in 1 s')
    expect([times(many), times(one)]).toEqual([rule === 'replace' ? 2 : 1, 0])
    expect(await filesOf(user)).toHaveLength(30)
  })

  test('that stalls is sent again', async () => {
    const { user, terminal, times } = await openBetween(30, (name, count) =>
      name === many && count === 1 ? 408 : 'forward',
    )
    const { code, stderr } = await runCli(terminal, ['upload', 'tree'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('trying again in 1 s') })
    expect([times(many), times(one)]).toEqual([2, 0])
    expect(await filesOf(user)).toHaveLength(30)
  })

  test('that breaks off is sent again', async () => {
    const { user, terminal, times } = await openBetween(30, (name, count) =>
      name === many && count < 3 ? 'break before' : 'forward',
    )
    expect((await runCli(terminal, ['upload', 'tree'])).code).toBe(0)
    expect(times(many)).toBe(3)
    expect(await filesOf(user)).toHaveLength(30)
  })

  test('that a proxy cannot hand on is sent file by file in the end', async context => {
    onlyNightly(context)
    const { user, terminal, times } = await openBetween(3, name => (name === many ? 502 : 'forward'))
    expect((await runCli(terminal, ['upload', 'tree'])).code).toBe(0)
    expect([times(many), times(one)]).toEqual([5, 3])
    expect(await filesOf(user)).toHaveLength(3)
  })
})

test('an interrupted upload of many files ends with code 130', async () => {
  const { user, terminal } = await openUserTerminal(server)
  await plant(terminal, 1500)
  const running = startCli(terminal, ['upload', 'tree', '--json'])
  await vi.waitFor(async () => expect((await user.call(listFiles, {})).folders).toHaveLength(1), {
    timeout: 30_000,
    interval: 5,
  })
  running.kill('SIGINT')
  const { exitCode, stdout, stderr } = await running
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'error: Interrupted' })
  const stored = new Set((await filesOf(user)).map(({ name }) => name))
  const printed = (JSON.parse(String(stdout)) as FileItem[]).filter(item => !item.is_directory)
  expect(printed.filter(({ name }) => !stored.has(name))).toEqual([])
})
