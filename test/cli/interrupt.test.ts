/** Ctrl-C at any moment: the exit code is 130, and no partial file stays behind. */
import { open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { listFiles } from '../../src/api/files.ts'
import { startServer } from '../support/server.ts'
import {
  type Answers,
  answerJson,
  answerPage,
  answerProfile,
  describeFile,
  sha256,
  startOddServer,
} from './odd-server.ts'
import { keys, openScreen } from './screen.ts'
import { openUserTerminal } from './signed-in.ts'
import { openTerminal, startCli, startOnTty } from './terminal.ts'

const bytes = Buffer.alloc(4_000_000, 'abcdefghij')

/** A server that sends half a file and then nothing more. */
const stuckAnswers: Answers = {
  'GET /api/files/by-path': (_request, response) => answerJson(response, { file: describeFile('a.bin', bytes) }),
  'GET /api/files/7/download': (_request, response) => {
    response.writeHead(200, { etag: `"${sha256(bytes)}"`, 'content-length': bytes.length })
    response.write(bytes.subarray(0, bytes.length / 2))
  },
}
const startStuckServer = () => startOddServer(stuckAnswers)

test('an interrupted download leaves no partial file', async () => {
  const { terminal } = await startStuckServer()
  const running = startCli(terminal, ['download', '/a.bin'])
  await vi.waitFor(async () => expect(await terminal.names()).toHaveLength(1), { timeout: 30_000 })
  running.kill('SIGINT')
  const { exitCode, stdout, stderr } = await running
  expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 130, stdout: '', stderr: 'error: Interrupted' })
  expect(await terminal.names()).toEqual([])
})

test('Ctrl-C during a progress display leaves no partial file', async () => {
  const { terminal } = await startStuckServer()
  const running = startOnTty(terminal, ['download', '/a.bin'])
  let screen = ''
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text
  })
  await vi.waitFor(() => expect(screen).toContain('50% of 3.81 MB'), { timeout: 30_000 })
  running.stdin.write('\u0003')
  const { exitCode, stdout } = await running
  expect(exitCode).toBe(130)
  expect(stdout).toContain('error: Interrupted')
  expect(await terminal.names()).toEqual([])
})

/** The same server for the terminal browser. It lists `a.bin` only. */
function startStuckBrowsing() {
  const bin = describeFile('a.bin', bytes)
  return startOddServer({
    ...stuckAnswers,
    'GET /api/auth/profile': answerProfile,
    'GET /api/files': (_request, response) => answerPage(response, { files: [bin] }),
  })
}

test('Ctrl-C in the browser stops a download and leaves no partial file', async () => {
  const { terminal } = await startStuckBrowsing()
  const screen = await openScreen(terminal)
  await screen.stands('a.bin')
  screen.type('D')
  await screen.shows('to: ./')
  screen.type(keys.enter)
  await screen.shows(/↓ \/a\.bin .* 50%/)
  screen.type('q')
  await screen.shows('Stop it and quit? [y/n]')
  screen.type('n', keys.interrupt)
  expect(await screen.code()).toBe(130)
  expect(screen.isAlternate()).toBe(false)
  expect(await terminal.names()).toEqual([])
})

test('X in the browser stops a download, leaves no partial file, and keeps the browser open', async () => {
  const { terminal } = await startStuckBrowsing()
  const screen = await openScreen(terminal)
  await screen.stands('a.bin')
  screen.type('X')
  await screen.shows('Nothing is on its way')
  screen.type('D')
  await screen.shows('to: ./')
  screen.type(keys.enter)
  await screen.shows(/↓ \/a\.bin .* 50%/)
  screen.type('X')
  await screen.shows('What has arrived stays. [y/n]')
  screen.type('y')
  await screen.shows('Stopped')
  await screen.hides('↓ /a.bin')
  expect(await terminal.names()).toEqual([])
  screen.type('q')
  expect(await screen.code()).toBe(0)
})

test('an interrupted upload leaves nothing on the server', async () => {
  const server = await startServer()
  try {
    const { user, terminal } = await openUserTerminal(server)
    const blobs = async () => {
      const entries = await readdir(join(server.dataDir, 'storage', 'blobs'), { recursive: true, withFileTypes: true })
      return entries.filter(entry => entry.isFile()).length
    }
    const running = startCli(terminal, ['upload', '-', '--name', 'half.bin'], { stdin: 'pipe' })
    running.stdin.write(bytes)
    await vi.waitFor(async () => expect(await blobs()).toBe(1), { timeout: 30_000 })
    running.kill('SIGINT')
    expect((await running).exitCode).toBe(130)
    await vi.waitFor(async () => expect(await blobs()).toBe(0), { timeout: 30_000 })
    expect((await user.call(listFiles, {})).total).toBe(0)
  } finally {
    await server.close()
  }
})

test('Ctrl-C interrupts the hashing of a file that may already be on the server', async () => {
  // A sparse file takes no space, but minutes to read.
  const size = 100 * 1024 ** 3
  const { terminal, requests } = await startOddServer({
    'GET /api/files/by-path': (_request, response) =>
      answerJson(response, { file: { ...describeFile('a.bin', bytes), size } }),
  })
  const file = await open(terminal.path('a.bin'), 'w')
  await file.truncate(size)
  await file.close()
  const running = startCli(terminal, ['upload', 'a.bin'])
  await vi.waitFor(() => expect(requests).toContain('GET /api/files/by-path'), { timeout: 30_000 })
  running.kill('SIGINT')
  expect(await running).toMatchObject({ exitCode: 130, stderr: 'error: Interrupted' })
})

test.each([
  ['password', ['--username', 'anna', '--password-stdin']],
  ['secret', ['--key-id', 'gk_test', '--secret-stdin']],
])('Ctrl-C interrupts the wait for a %s on standard input', async (_what, options) => {
  const terminal = await openTerminal()
  const tell = `process.stdin.on('newListener',name=>name==='readable'&&process.stderr.write('listening '))`
  terminal.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(tell)}`
  const running = startCli(terminal, ['login', 'http://127.0.0.1:9', ...options], { stdin: 'pipe', stderr: 'pipe' })
  running.stderr.on('data', (text: Buffer) => {
    if (text.includes('listening')) running.kill('SIGINT')
  })
  const { exitCode, stderr } = await running
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: 'listening error: Interrupted' })
})

test('an interrupted folder download lists no file that was not saved', async () => {
  const folder = { ...describeFile('R', Buffer.from('')), id: 3, is_directory: true }
  const { terminal, requests } = await startOddServer({
    ...stuckAnswers,
    'GET /api/files/by-path': (_request, response) => answerJson(response, { file: folder }),
    'GET /api/files': (_request, response) => answerPage(response, { files: [describeFile('a.bin', bytes)] }),
  })
  const running = startCli(terminal, ['download', '/R'])
  await vi.waitFor(() => expect(requests).toContain('GET /api/files/7/download'), { timeout: 30_000 })
  running.kill('SIGINT')
  const { exitCode, stdout } = await running
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' })
  expect(await readdir(terminal.path('R'))).toEqual([])
})

test('Ctrl-C interrupts the wait for a busy server', async () => {
  const { terminal } = await startOddServer({
    'GET /api/files': (_request, response) => response.writeHead(429, { 'retry-after': '900' }).end(),
  })
  const running = startCli(terminal, ['ls'], { stderr: 'pipe' })
  running.stderr.on('data', (text: Buffer) => {
    if (text.includes('trying again in 900 s')) running.kill('SIGINT')
  })
  expect((await running).exitCode).toBe(130)
})
