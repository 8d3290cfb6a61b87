/** What `filestore serve` warns of in its log, because it works and yet is not what anybody wants. */
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

/** The lines of a log that speak of something. */
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

  test('is warned of once where no proxy is named', async () => {
    const lines = await logOf([], { 'x-forwarded-for': '203.0.113.9' })
    expect(lines).toHaveLength(1)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 40, msg: expect.stringContaining('--trust-proxy') })
  })

  test('is not warned of where it is not sent, or a proxy is named', async () => {
    expect(await logOf([], {})).toEqual([])
    expect(await logOf(['--trust-proxy', '127.0.0.1'], { 'x-forwarded-for': '203.0.113.9' })).toEqual([])
  })
})

describe('a password of the database', () => {
  const url = 'mysql://somebody:hush@127.0.0.1:9/nothing'

  test('is warned of on the command line, which others can read, and not told', async () => {
    const { stderr } = await runBinary(['serve', '--port', '0', '--data-dir', dataDir, '--database', url])
    const [line, ...others] = linesOf(stderr, 'FILESTORE_DATABASE')
    expect(others).toEqual([])
    expect(JSON.parse(line ?? '')).toMatchObject({ level: 40, msg: expect.stringContaining('list of processes') })
    expect(stderr).not.toContain('hush')
  })

  test('is not warned of in the environment, nor an address without one', async () => {
    const args = ['serve', '--port', '0', '--data-dir', dataDir]
    const inEnvironment = await runBinary(args, { env: { FILESTORE_DATABASE: url } })
    const without = await runBinary([...args, '--database', url.replace(':hush', '')])
    for (const { stderr, exitCode } of [inEnvironment, without]) {
      expect(exitCode).toBe(7)
      expect(linesOf(stderr, 'list of processes')).toEqual([])
    }
  })
})
