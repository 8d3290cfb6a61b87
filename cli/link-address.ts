/** Reads the addresses of links: `https://files.example.org/s/<token>`, also below a base path. */
import { CommandError } from '../terminal/exit.ts'
import { readServerUrl } from './server-url.ts'

export interface LinkAddress {
  /** The server's address, without a slash at the end. */
  url: string
  token: string
}

const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text)

const linkForm = /^(.*)\/s\/([\w-]{1,255})\/?$/

/**
 * Returns the server and the token of a link's address, or undefined for a path on the server. Throws `usage` for any
 * other web address; `/https:/…` is a path that begins like one.
 */
export function readLinkAddress(text: string): LinkAddress | undefined {
  if (!isWebAddress(text)) return undefined
  const [, before, token] = linkForm.exec(text.replace(/[?#].*$/s, '')) ?? []
  const url = before === undefined ? undefined : readServerUrl(before)
  if (url !== undefined && token !== undefined) return { url, token }
  throw new CommandError('usage', `'${text}' is not the address of a link, such as https://files.example.org/s/…`)
}
