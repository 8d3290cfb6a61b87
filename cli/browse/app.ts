/** What every act of the browser works with, and how its failures are told. */
import type { Call } from '../../src/api/client.ts'
import { createCall, type Server } from '../client.ts'
import { explainError } from '../explain.ts'
import type { Message } from './state.ts'
import type { Store } from './store.ts'

export interface App {
  store: Store
  server: Server
  call: Call
  /** Transfers on their way, each with what stops it. */
  running: Map<Promise<void>, AbortController>
  /** Ends the browser. */
  quit: () => void
  /** Gives the terminal to the shell, until the person comes back. */
  suspend: () => void
}

const callsOf = (server: Server): Pick<App, 'server' | 'call'> => ({
  server,
  call: createCall(server),
})

export const createApp = (server: Server, store: Store, acts: Pick<App, 'quit' | 'suspend'>): App => ({
  ...acts,
  ...callsOf(server),
  store,
  running: new Map(),
})

/** The same with another connection. */
export const withServer = (app: App, server: Server): App => ({ ...app, ...callsOf(server) })

/** What a failure says, in a sentence. */
export function sentenceOf(app: App, error: unknown): string {
  const explained = explainError(error, app.server.url)
  return explained instanceof Error ? explained.message : String(explained)
}

export function say(app: App, text: string, tone: Message['tone'] = 'info'): void {
  app.store.set({ message: { text, tone } })
}

/** Runs an act to its end; its failure becomes a message, and the view stays as it is. */
export async function attempt(app: App, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    // The whole browser ends then, and says so itself.
    if (!app.server.signal.aborted) say(app, sentenceOf(app, error), 'error')
  }
}

/** The same, with a word on what is going on. */
export async function attemptBusy(app: App, what: string, work: () => Promise<void>): Promise<void> {
  app.store.set({ busy: what, message: undefined })
  await attempt(app, work)
  app.store.set({ busy: undefined })
}
