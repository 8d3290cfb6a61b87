/** Runs commands that use a link, for which nobody signs in: the token in its address is all that they show. */
import type { Call } from '../src/api/client.ts'
import { type LinkInfo, unlockLink, visitLink } from '../src/api/visits.ts'
import { processContext } from '../src/base/process-context.ts'
import { CommandError } from '../terminal/exit.ts'
import { runInterruptibly } from '../terminal/interrupt.ts'
import { ask, readSecret } from '../terminal/prompt.ts'
import { createCall, type Server } from './client.ts'
import { explainError } from './explain.ts'
import type { LinkAddress } from './link-address.ts'

export interface PasswordOption {
  passwordStdin?: boolean
}

/** An open link. */
export interface Visit {
  server: Server
  call: Call
  token: string
  info: LinkInfo
}

const linkCookie = /^((?:__(?:Host|Secure)-)?filestore_link=[^;]*)/

/**
 * Opens the server of a link. Its requests carry no key; they carry the cookie that the server gives for a password or a
 * counted download.
 */
function openVisitor(url: string, signal: AbortSignal): Server {
  const headers: Record<string, string> = {}
  return {
    url,
    headers,
    signal,
    onHeaders: ({ 'set-cookie': given }) => {
      const [, cookie] =
        [given ?? []]
          .flat()
          .map(line => linkCookie.exec(line))
          .find(match => match !== null) ?? []
      if (cookie === undefined) return
      // The server accepts uploads with a cookie only from its own pages; browsers say so with the second header.
      Object.assign(headers, { cookie, 'sec-fetch-site': 'same-origin' })
    },
  }
}

async function readPassword({ passwordStdin }: PasswordOption, signal: AbortSignal): Promise<string> {
  if (!passwordStdin && !processContext().stdin.isTTY) {
    throw new CommandError('denied', 'This link needs a password: use --password-stdin')
  }
  const question = 'Password of the link: '
  const password = await (passwordStdin ? readSecret(question, signal) : ask(question, '', signal, true))
  if (password === '') throw new CommandError('denied', 'This link needs a password, and none was given')
  return password
}

async function enter(server: Server, call: Call, token: string, options: PasswordOption): Promise<LinkInfo> {
  const info = await call(visitLink, { token })
  if (!info.locked) return info
  return call(unlockLink, { token, password: await readPassword(options, server.signal) })
}

/** Opens a link, with its password if it has one, and explains the server's refusals. */
export const runVisiting = (
  { url, token }: LinkAddress,
  options: PasswordOption,
  run: (visit: Visit) => Promise<void>,
) =>
  runInterruptibly(async signal => {
    const server = openVisitor(url, signal)
    const call = createCall(server)
    try {
      await run({ server, call, token, info: await enter(server, call, token, options) })
    } catch (error) {
      throw explainError(error, url)
    }
  })
