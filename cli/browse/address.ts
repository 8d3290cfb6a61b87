/** Copies the web address of an item to the clipboard of the person's own machine, also through SSH. */
import { addressOf } from '../../src/api/item-address.ts'
import { type App, say } from './app.ts'
import { currentEntry } from './cursor.ts'

/** What makes a terminal copy a text (OSC 52). Some ask before, and some ignore it. */
export const copySequence = (text: string): string => `\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`

/** Copies the address and shows it, for terminals that copy nothing. */
export function copyAddress(app: App): void {
  const entry = currentEntry(app.store.get())
  if (entry === undefined) return
  const address = addressOf(app.server.url, entry)
  app.copy(address)
  say(app, `Address copied: ${address}`)
}
