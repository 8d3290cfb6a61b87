/** The context of every action in the browser, and how failures are shown. */
import type { Call } from '../../src/api/client.ts'
import { createCall, type Server } from '../client.ts'
import { explainError } from '../explain.ts'
import type { Message } from './state.ts'
import type { Store } from './store.ts'

export interface App {
  store: Store
  server: Server
  call: Call
  /** The running transfers, each with the controller that stops it. */
  running: Map<Promise<void>, AbortController>
  /** Ends the browser. */
  quit: () => void
  /** Suspends the browser, and returns the terminal to the shell until the person comes back. */
  suspend: () => void
  /** Copies a text to the person's clipboard. */
  copy: (text: string) => void
}

const callsOf = (server: Server): Pick<App, 'server' | 'call'> => ({
  server,
  call: createCall(server),
})

export const createApp = (server: Server, store: Store, acts: Pick<App, 'quit' | 'suspend' | 'copy'>): App => ({
  ...acts,
  ...callsOf(server),
  store,
  running: new Map(),
})

/** Returns the same app with another connection. */
export const withServer = (app: App, server: Server): App => ({ ...app, ...callsOf(server) })

/** Returns the message of a failure. */
export function sentenceOf(app: App, error: unknown): string {
  const explained = explainError(error, app.server.url)
  return explained instanceof Error ? explained.message : String(explained)
}

export function say(app: App, text: string, tone: Message['tone'] = 'info'): void {
  app.store.set({ message: { text, tone } })
}

/** Runs an action. A failure becomes a message, and the view stays as it is. */
export async function attempt(app: App, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // If the signal has aborted, the whole browser ends and reports it itself.
    if (!app.server.signal.aborted) say(app, sentenceOf(app, error), 'error')
  }
}

/** Like `attempt`, and shows `what` while the action runs. */
export async function attemptBusy(app: App, what: string, work: () => Promise<void>): Promise<void> {
  app.store.set({ busy: what, message: undefined })
  await attempt(app, work)
  app.store.set({ busy: undefined })
}
