/** Runs commands that talk to a server with a key. */
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

/** Runs work that does several things at once: if it fails, everything that still runs on its connection is aborted. */
export async function endTogether<Result>(
  { server }: SignedIn,
  run: (signedIn: SignedIn) => Promise<Result>,
): Promise<Result> {
  const ended = new AbortController()
  const joined = { ...server, signal: AbortSignal.any([server.signal, ended.signal]) }
  // Every running request and stream listens to the signal, and there are as many as files being transferred.
  setMaxListeners(0, joined.signal)
  try {
    return await run({ server: joined, call: createCall(joined) })
  } catch (error) {
    ended.abort(error)
    throw error
  }
}
