/** Finds people and groups while their names are typed. */
import { findPeople } from '../../src/api/shares.ts'
import { visible } from '../../terminal/visible.ts'
import type { App } from './app.ts'
import { sharedStart } from './complete-path.ts'
import type { Completed } from './modes.ts'

interface Found {
  /** What is typed to name them: `anna`, `@Teachers`. */
  name: string
  /** The name with the full name after it. */
  shown: string
}

/** The server takes no shorter texts. */
const shortest = 2

async function find(app: App, text: string): Promise<Found[]> {
  const isGroup = text.startsWith('@')
  const q = text.slice(isGroup ? 1 : 0).trim()
  if (q.length < shortest) return []
  const { people, groups } = await app.call(findPeople, { q })
  const users = people.map(({ username, full_name }) => ({
    name: username,
    shown: full_name === null ? visible(username) : `${visible(username)} (${visible(full_name)})`,
  }))
  const named = groups.map(({ name }) => ({ name: `@${name}`, shown: visible(`@${name}`) }))
  return isGroup ? named : [...users, ...named]
}

/** Returns whom a text may mean. */
export const suggestPeople = async (app: App, text: string): Promise<string[]> =>
  (await find(app, text)).map(({ shown }) => shown)

/** Completes a name as far as it is unambiguous. */
export async function completePerson(app: App, text: string): Promise<Completed> {
  const found = await find(app, text)
  const names = found.map(({ name }) => name)
  const start = sharedStart(names)
  const isLonger = start.toLowerCase().startsWith(text.trim().toLowerCase())
  const completed = names.length === 1 || isLonger ? start : text
  return { text: completed === '' ? text : completed, choices: found.map(({ shown }) => shown) }
}
