/** JSON answers that come so slowly that they would never be whole. */
import { expect, onTestFinished, test, vi } from 'vitest'
import { answerJson, describePage, startOddServer } from './odd-server.ts'
import { runCli } from './terminal.ts'

test.each([200, 503])(
  'an answer with status %i that comes blank by blank is given up after five minutes',
  async status => {
    vi.useFakeTimers({ toFake: ['performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let minutes = 0
    const { terminal, requests } = await startOddServer({
      'GET /api/files': (_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '86400' })
        // Half an hour passes, after which the answer ends, so that a client which waits for it ends as well.
        const timer = setInterval(() => {
          vi.advanceTimersByTime(60_000)
          minutes += 1
          if (minutes < 30) return void response.write(' ')
          clearInterval(timer)
          response.end('{}')
        }, 20)
        response.once('close', () => clearInterval(timer))
      },
    })
    const { code, stdout, stderr } = await runCli(terminal, ['ls'])
    expect({ code, stdout, requests }).toEqual({ code: 7, stdout: '', requests: ['GET /api/files'] })
    expect(stderr).toContain('did not end within 6 minutes')
    expect(minutes).toBeLessThan(10)
  },
)

test('a long answer that comes steadily over a slow line is read to its end', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let minutes = 0
  const { terminal } = await startOddServer({
    'GET /api/spaces': (_request, response) => answerJson(response, { spaces: [] }),
    'GET /api/shares/received': (_request, response) => answerJson(response, { shares: [], next_cursor: null }),
    'GET /api/files': (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const timer = setInterval(() => {
        vi.advanceTimersByTime(60_000)
        minutes += 1
        if (minutes < 20) return void response.write(' '.repeat(300_000))
        clearInterval(timer)
        response.end(JSON.stringify({ success: true, data: describePage({}) }))
      }, 20)
      response.once('close', () => clearInterval(timer))
    },
  })
  expect(await runCli(terminal, ['ls'])).toMatchObject({ code: 0, stderr: 'This folder is empty' })
  expect(minutes).toBe(20)
})
