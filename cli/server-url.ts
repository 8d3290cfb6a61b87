/** Reads server addresses that people type. */
import { CommandError } from '../terminal/exit.ts'

/** Returns the address without a slash at the end, or undefined if the text is not an address. */
export function readServerUrl(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.username !== '' || url.search !== '') return undefined
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

/** Like `readServerUrl`, but throws `usage` if the text is not an address. */
export function parseServerUrl(text: string): string {
  const url = readServerUrl(text)
  if (url !== undefined) return url
  throw new CommandError('usage', `'${text}' is not an address such as https://files.example.org`)
}
