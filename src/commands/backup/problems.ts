/** Problems of a backup or its source: one sentence each; only the first thousand are kept. */
export interface Problems {
  problems: string[]
  problem_count: number
}

const toldProblems = 1000
/** Characters that are kept of a problem: names and keys in a damaged row may be of any length. */
const mostCharacters = 1000

/** The beginning of a text. It is a copy, because a slice would keep the whole text in memory. */
export const shorten = (text: string, most = mostCharacters): string =>
  text.length > most ? `${Buffer.from(text.slice(0, most), 'utf16le').toString('utf16le')}…` : text

export const noProblems = (): Problems => ({ problems: [], problem_count: 0 })

/** How many sentences are still kept. */
export const roomIn = ({ problems }: Problems): number => toldProblems - problems.length

/** `count` is the total when `found` holds only the first ones. At most `room` sentences are kept. */
export function addProblems(to: Problems, found: readonly string[], count = found.length, room = roomIn(to)): void {
  to.problem_count += count
  to.problems.push(...found.slice(0, room).map(problem => shorten(problem)))
}

/**
 * Adds problems of whole tables, of which there are few, without those that are listed already. `count` is the total when
 * `found` holds only the first ones.
 */
export function addNewProblems(to: Problems, found: readonly string[], count = found.length): void {
  const known = new Set(to.problems)
  const others = found.filter(problem => !known.has(shorten(problem)))
  addProblems(to, others, others.length + count - found.length)
}

/** The first of what was found, and how many there are. */
export interface Found<Item> {
  first: Item[]
  count: number
}

export const nothingFound = <Item>(): Found<Item> => ({ first: [], count: 0 })

/** How many more are kept. */
export const roomFor = ({ first }: Found<unknown>): number => toldProblems - first.length

export function addFound<Item>(to: Found<Item>, { first, count }: Found<Item>): void {
  to.count += count
  to.first.push(...first.slice(0, roomFor(to)))
}
