/** Standard output or standard error that closes early, because its reader ends. */
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { answerJson, answerNothing, answerPage, describeFile, sendBytes, startOddServer } from './odd-server.ts'
import { startCli } from './terminal.ts'

const bytes = Buffer.alloc(300_000, 'abcdefghij')

test('a download completes although standard error is closed', async () => {
  let asked = 0
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (_request, response) => answerJson(response, { file: describeFile('a.bin', bytes) }),
    'GET /api/files/7/download': (_request, response) => {
      asked += 1
      if (asked < 3) response.writeHead(503, { 'retry-after': '0' }).end()
      else sendBytes(response, bytes)
    },
  })
  const running = startCli(terminal, ['download', '/a.bin'], { stderr: 'pipe', buffer: false })
  running.stderr.destroy()
  expect((await running).exitCode).toBe(0)
  expect(bytes.equals(await readFile(terminal.path('a.bin')))).toBe(true)
})

test('a failure keeps its exit code although standard error is closed', async () => {
  const { terminal } = await startOddServer({ 'GET /api/files/by-path': answerNothing })
  const running = startCli(terminal, ['rm', '/a.txt', '/b.txt'], { stderr: 'pipe', buffer: false })
  running.stderr.destroy()
  expect((await running).exitCode).toBe(4)
})

test('a wrong option and --help keep their exit codes although their output is closed', async () => {
  const { terminal } = await startOddServer({})
  const wrong = startCli(terminal, ['ls', '--wrong'], { stderr: 'pipe', buffer: false })
  wrong.stderr.destroy()
  expect((await wrong).exitCode).toBe(2)
  const help = startCli(terminal, ['--help'], { stdout: 'pipe', buffer: false })
  help.stdout.destroy()
  expect((await help).exitCode).toBe(0)
})

test('a failure keeps its exit code although standard output is closed', async () => {
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': answerNothing,
    'POST /api/files/upload': (request, response) =>
      request.resume().on('end', () => answerJson(response, { file: describeFile('a.txt', bytes) })),
  })
  await writeFile(terminal.path('a.txt'), 'x')
  const running = startCli(terminal, ['upload', 'a.txt', 'none'], { stdout: 'pipe', buffer: false })
  running.stdout.destroy()
  expect((await running).exitCode).toBe(2)
})

test('a full disk behind standard output is reported, with exit code 1', async () => {
  const { terminal } = await startOddServer({
    'GET /api/files/by-path': (_request, response) => answerJson(response, { file: describeFile('a.bin', bytes) }),
    'GET /api/files/7/download': (_request, response) => sendBytes(response, bytes),
    'GET /api/files': (_request, response) => answerPage(response, { files: [describeFile('a.bin', bytes)] }),
  })
  for (const args of [
    ['download', '/a.bin', '-'],
    ['ls', '/'],
  ]) {
    const full = createWriteStream('/dev/full')
    await once(full, 'open')
    const { exitCode, stderr } = await startCli(terminal, args, { stdout: full })
    full.destroy()
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^error: Cannot write to standard output: ENOSPC[^\n]*$/)
  }
})
