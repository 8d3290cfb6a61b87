/** Warnings of `filestore serve` in its log about settings that work but are probably wrong. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runBinary, serveBinary } from '../support/binary.ts'
import { openClient } from '../support/client.ts'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'filestore-warnings-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

/** The lines of a log that contain a text. */
const linesOf = (log: unknown, words: string) =>
  String(log)
    .split('\n')
    .filter(line => line.includes(words))

describe('X-Forwarded-For', () => {
  async function logOf(flags: string[], headers: Record<string, string>): Promise<string[]> {
    const server = await serveBinary(['--data-dir', dataDir, ...flags])
    const client = openClient(server.url, headers)
    for (const path of ['/healthz', '/', '/api/files', '/healthz']) await (await client.raw(path)).text()
    await server.stop()
    return linesOf((await server.child).stderr, 'X-Forwarded-For')
  }

  test('causes one warning when no proxy is trusted', async () => {
    const lines = await logOf([], { 'x-forwarded-for': '203.0.113.9' })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, msg: expect.stringContaining('--trust-proxy') })
  })

  test('causes no warning when it is not sent, or when a proxy is trusted', async () => {
    expect(await logOf([], {})).toEqual([])
    expect(await logOf(['--trust-proxy', '127.0.0.1'], { 'x-forwarded-for': '203.0.113.9' })).toEqual([])
  })
})

describe('a database password', () => {
  const url = 'mysql://somebody:hush@127.0.0.1:9/nothing'

  test('on the command line causes a warning, because others can read it, and is not logged', async () => {
    const { stderr } = await runBinary(['serve', '--port', '0', '--data-dir', dataDir, '--database', url])
    const [line, ...others] = linesOf(stderr, 'FILESTORE_DATABASE')
    expect(others).toEqual([])
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 40, msg: expect.stringContaining('list of processes') })
    expect(stderr).not.toContain('hush')
  })

  test('in the environment causes no warning, and neither does an address without a password', async () => {
    const args = ['serve', '--port', '0', '--data-dir', dataDir]
    const inEnvironment = await runBinary(args, { env: { FILESTORE_DATABASE: url } })
    const without = await runBinary([...args, '--database', url.replace(':hush', '')])
    for (const { stderr, exitCode } of [inEnvironment, without]) {
      expect(exitCode).toBe(7)
      expect(linesOf(stderr, 'list of processes')).toEqual([])
    }
  })
})
