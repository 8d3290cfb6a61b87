/** Kills in the middle of an upload of many small files: of the terminal, and of the server. */
import { rm } from 'node:fs/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { getFileByPath, listFiles } from '../../src/api/files.ts'
import type { FileItem } from '../../src/api/items.ts'
import { createApiKey } from '../../src/api/keys.ts'
import { serveBinary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { startServer } from '../support/server.ts'
import { adminPassword, createConfig } from '../support/test-server.ts'
import { filesOf, plant } from './planted.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, runCli, startCli } from './terminal.ts'

test('a killed upload leaves only whole files, and the next one adds the others', async () => {
  const server = await startServer()
  onTestFinished(() => server.close())
  const { user, terminal } = await openUserTerminal(server)
  await plant(terminal, 1500)
  const running = startCli(terminal, ['upload', 'tree'])
  const count = async () =>
    (await user.call(listFiles, { parent_id: (await user.call(getFileByPath, { path: '/tree' })).file.id, limit: 1 }))
      .total
  await vi.waitFor(async () => expect(await count()).toBeGreaterThan(0), { timeout: 30_000, interval: 5 })
  running.kill('SIGKILL')
  await running
  expect(await count()).toBeLessThan(1500)
  await filesOf(user)
  expect((await runCli(terminal, ['upload', 'tree'])).code).toBe(0)
  expect(await filesOf(user)).toHaveLength(1500)
})

/** Six requests of a hundred files may be stored and not yet answered. */
const unanswered = 700

test('all files that were acknowledged before the server was killed are there afterwards, and none is half there', async () => {
  const { config } = await createConfig()
  const start = () => serveBinary(['--data-dir', config.dataDir], { FILESTORE_ADMIN_PASSWORD: adminPassword })
  const first = await start()
  const admin = await signIn(first.url, 'admin', adminPassword)
  const permissions = ['files:read', 'files:write', 'files:upload'] as const
  const key = await admin.call(createApiKey, {
    name: 'terminal',
    kind: 'device',
    current_password: adminPassword,
    permissions: [...permissions],
  })
  const terminal = await openTerminal({
    FILESTORE_URL: first.url,
    FILESTORE_API_KEY_ID: key.key_id,
    FILESTORE_API_SECRET: key.secret,
  })
  await plant(terminal, 2000)
  const running = startCli(terminal, ['upload', 'tree', '--json'])
  const { file: tree } = await vi.waitFor(() => admin.call(getFileByPath, { path: '/tree' }), { timeout: 30_000 })
  await vi.waitFor(
    async () =>
      expect((await admin.call(listFiles, { parent_id: tree.id, limit: 1 })).total).toBeGreaterThan(unanswered),
    { timeout: 20_000, interval: 5 },
  )
  await first.stop('SIGKILL')
  const { exitCode, stdout } = await running
  const second = await start()
  try {
    const again = await signIn(second.url, 'admin', adminPassword)
    const stored = new Set((await filesOf(again)).map(({ name }) => name))
    const acknowledged = (JSON.parse(String(stdout)) as FileItem[]).filter(item => !item.is_directory)
    expect(exitCode).toBe(7)
    expect(acknowledged.length).toBeGreaterThan(0)
    expect(acknowledged.filter(({ name }) => !stored.has(name))).toEqual([])
    terminal.env.FILESTORE_URL = second.url
    expect((await runCli(terminal, ['upload', 'tree'])).code).toBe(0)
    expect(await filesOf(again)).toHaveLength(2000)
  } finally {
    await second.stop()
    await rm(config.dataDir, { recursive: true, force: true })
  }
})
