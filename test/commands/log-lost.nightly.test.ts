/** A log that cannot be written: the server counts the lost lines, continues to work, and stops when told. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execa, type ResultPromise } from 'execa'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { binary } from '../support/binary.ts'
import { signIn } from '../support/client.ts'
import { buildFile } from '../support/factories.ts'
import { findFreePort } from '../support/free-port.ts'
import { onlyOn } from '../support/only-on.ts'
import { mountSmallDisk } from '../support/small-disk.ts'
import { createDatabase } from '../support/test-server.ts'

const password = 'given by the environment'
const env = { FILESTORE_ADMIN_PASSWORD: password, FILESTORE_MIN_FREE_SPACE: '0' }

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-log-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

interface Outputs {
  stdout?: string
  stderr?: string
}

/** A stream that writes to a path. */
async function openPath(path: string) {
  const stream = createWriteStream(path, { flags: 'a' })
  await once(stream, 'open')
  return stream
}

/** Starts a server with its outputs in these files, or in pipes by default, and waits until it answers. */
async function serveTo({ stdout, stderr }: Outputs, args: string[] = []) {
  const port = await findFreePort()
  const outputs = await Promise.all([stdout, stderr].map(path => (path === undefined ? 'pipe' : openPath(path))))
  const [out = 'pipe', err = 'pipe'] = outputs
  const command = [binary, 'serve', '--port', String(port), '--data-dir', dataDir, ...args]
  const child: ResultPromise = execa(process.execPath, command, {
    env,
    stdout: out,
    stderr: err,
    buffer: false,
    reject: false,
    forceKillAfterDelay: false,
  })
  for (const output of outputs) if (typeof output !== 'string') output.destroy()
  const url = `http://127.0.0.1:${port}`
  const isUp = async () => (await fetch(`${url}/readyz`).catch(() => undefined))?.status
  await expect.poll(isUp, { timeout: 30_000 }).toBe(200)
  return { url, child }
}

/** Makes a server log more lines than any buffer holds, and expects that it still works and stops. */
async function expectWorking({ url, child }: Awaited<ReturnType<typeof serveTo>>): Promise<void> {
  const admin = await signIn(url, 'admin', password)
  const logged = () => admin.raw('/api/files/folders', { method: 'POST' })
  for (let round = 0; round < 20; round++) {
    for (const { status } of await Promise.all(Array.from({ length: 10 }, logged))) expect(status).toBe(400)
  }
  const { id } = await buildFile(admin, { name: 'a.txt' }, 'taken all the same')
  expect(await (await admin.raw(`/api/files/${id}/download`)).text()).toBe('taken all the same')
  const figures = await (await fetch(`${url}/metrics`)).text()
  expect(Number(/^filestore_log_lines_lost_total (\d+)$/m.exec(figures)?.[1])).toBeGreaterThanOrEqual(201)
  child.kill('SIGTERM')
  expect((await child).exitCode).toBe(0)
}

describe('a server whose log cannot be written', () => {
  test.each<[string, Outputs]>([
    ['stderr is full', { stderr: '/dev/full' }],
    ['both outputs are full', { stdout: '/dev/full', stderr: '/dev/full' }],
  ])('works, and stops at SIGTERM: %s', async (_what, outputs) => {
    await expectWorking(await serveTo(outputs))
  })

  test('works with several workers, and stops at SIGTERM', async context => {
    onlyOn('mariadb', context)
    const database = await createDatabase()
    context.onTestFinished(() => database.drop())
    const args = ['--workers', '2', '--database', database.flag ?? '']
    await expectWorking(await serveTo({ stdout: '/dev/full', stderr: '/dev/full' }, args))
  })

  test('works after the reader of its log has ended', async () => {
    const running = await serveTo({})
    running.child.stderr?.destroy()
    running.child.stdout?.destroy()
    await expectWorking(running)
  })

  test('logs again as soon as it can, with the number of missing lines', async context => {
    const disk = await mountSmallDisk(context, '1m')
    context.onTestFinished(() => disk.unmount())
    const log = join(disk.folder, 'log')
    const { url, child } = await serveTo({ stderr: log })
    const admin = await signIn(url, 'admin', password)
    const logged = async (count: number) => {
      for (let round = 0; round < count; round++)
        await (await admin.raw('/api/files/folders', { method: 'POST' })).text()
    }
    await logged(5)
    await disk.leave(0)
    await logged(100)
    await disk.leave(200_000)
    await logged(5)
    child.kill('SIGTERM')
    expect((await child).exitCode).toBe(0)
    const lines = (await readFile(log, 'utf8')).trimEnd().split('\n')
    const whole = lines
      .filter(line => line.endsWith('}'))
      .map(line => JSON.parse(line) as { msg: string; lines?: number })
    // One line may have been written partly.
    expect(lines.length - whole.length).toBeLessThanOrEqual(1)
    const [loss, ...others] = whole.filter(line => line.lines !== undefined)
    expect(others).toEqual([])
    expect(loss).toMatchObject({ level: 40, code: 'ENOSPC', msg: expect.stringContaining('lost') })
    expect(whole.filter(({ msg }) => msg === 'request').length + (loss?.lines ?? 0)).toBe(111)
  })
})
