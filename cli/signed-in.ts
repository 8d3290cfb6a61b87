/** The frame of every command that speaks to a server with a key. */
import { setMaxListeners } from 'node:events'
import type { Call } from '../src/api/client.ts'
import { runInterruptibly } from '../terminal/interrupt.ts'
import { createCall, openServer, type Server } from './client.ts'
import { explainError } from './explain.ts'
import { findCredentials } from './profile.ts'

export interface ProfileOption {
  profile?: string
}

export interface SignedIn {
  server: Server
  call: Call
}

/** Runs a command with the profile's key, or the environment's, and explains the server's refusals. */
export async function runSignedIn(options: ProfileOption, run: (signedIn: SignedIn) => Promise<void>): Promise<void> {
  const credentials = await findCredentials(options.profile)
  await runInterruptibly(async signal => {
    const server = openServer(credentials, signal)
    try {
      await run({ server, call: createCall(server) })
    } catch (error) {
      throw explainError(error, server.url)
    }
  })
}

/** Lends a connection to work that does several things at once: where one of them fails the whole, the others end too. */
export async function endTogether<Result>(
  { server }: SignedIn,
  run: (signedIn: SignedIn) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController()
  const joined = { ...server, signal: AbortSignal.any([server.signal, ended.signal]) }
  // Every request and stream under way listens to it; there are as many as there are files on their way.
  setMaxListeners(0, joined.signal)
  try {
    return await run({ server: joined, call: createCall(joined) })
  } catch (error) {
    ended.abort(error)
    throw error
  }
}
