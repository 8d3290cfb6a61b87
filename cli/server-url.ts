/** Addresses of servers, as people type them. */
import { CommandError } from '../terminal/exit.ts'

/** The address without a slash at the end, or undefined for what is none. */
export function readServerUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') return undefined
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** The same. Throws `usage` for what is no address. */
export function parseServerUrl(text: string): string {
  const url = readServerUrl(text)
  if (url !== undefined) return url
  throw new CommandError('usage', `'${text}' is not an address such as https://files.example.org`)
}
