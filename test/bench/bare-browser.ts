/**
 * Chromium as a user runs it: it runs scripts in the page and observes nothing else. Playwright observes every request,
 * which halves the speed of a page that sends many small ones.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import chromium from '@sparticuz/chromium'
import { execa } from 'execa'
import { fetch, WebSocket } from 'undici'
import { quiet } from '../e2e/browser.ts'

export interface BareBrowser {
  /** Evaluates an expression in the page, and waits for a promise. */
  run<T>(expression: string): Promise<T>
  /** Evaluates an expression repeatedly until it is true, also while the page navigates. */
  until(expression: string): Promise<void>
  close(): Promise<void>
}

interface Answer {
  id: number
  result?: { result: { value: unknown }; exceptionDetails?: { text: string } }
  error?: { message: string }
}

/** How often `until` evaluates, in ms: too seldom to slow the page down. */
const interval = 50

export async function openBareBrowser(url: string): Promise<BareBrowser> {
  const profile = await mkdtemp(join(tmpdir(), 'filestore-bench-browser-'))
  const args = [...quiet, '--headless', '--remote-debugging-port=0', `--user-data-dir=${profile}`, url]
  const child = execa(await chromium.executablePath(), args, { reject: false, stdout: 'ignore' })
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stderr }).on('line', line => {
      const [, found] = /^DevTools listening on ws:\/\/127\.0\.0\.1:(\d+)/.exec(line) ?? []
      if (found !== undefined) resolve(found)
    })
    child.then(({ stderr }) => reject(new Error(`Chromium ended: ${stderr}`)), reject)
  })
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as Record<string, string>[]
  const page = targets.find(({ type }) => type === 'page')
  if (page?.webSocketDebuggerUrl === undefined) throw new Error('Chromium has no page')
  const socket = new WebSocket(page.webSocketDebuggerUrl)
  await new Promise(resolve => socket.addEventListener('open', resolve))

  const waiting = new Map<number, (answer: Answer) => void>()
  socket.addEventListener('message', ({ data }) => {
    const answer = JSON.parse(String(data)) as Answer
    waiting.get(answer.id)?.(answer)
    waiting.delete(answer.id)
  })
  let calls = 0
  const run = async <T>(expression: string): Promise<T> => {
    const id = ++calls
    const { result, error } = await new Promise<Answer>(resolve => {
      waiting.set(id, resolve)
      const params = { expression, awaitPromise: true, returnByValue: true }
      socket.send(JSON.stringify({ id, method: 'Runtime.evaluate', params }))
    })
    const problem = error?.message ?? result?.exceptionDetails?.text
    if (problem !== undefined) throw new Error(`${problem} in '${expression}'`)
    return result?.result.value as T
  }
  return {
    run,
    until: async expression => {
      while (!(await run<boolean>(expression).catch(() => false))) {
        await new Promise(resolve => setTimeout(resolve, interval))
      }
    },
    close: async () => {
      socket.close()
      child.kill('SIGTERM')
      await child
      await rm(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
