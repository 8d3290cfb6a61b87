/** Chooses an entry from a list by its id, as `id:42`, or by one of its names. */
import { CommandError } from '../terminal/exit.ts'

/**
 * Returns the one entry that `text` means. Throws `notFound` if there is none and `usage` if several have the name.
 * `where` completes the error's sentence, such as `in the trash`.
 */
export function pickOne<Entry extends { id: number }>(
  entries: readonly Entry[],
  text: string,
  where: string,
  namesOf: (entry: Entry) => readonly string[],
): Entry {
  const name = text.normalize('NFC')
  const byId = entries.filter(entry => `id:${entry.id}` === text)
  const matches = byId.length > 0 ? byId : entries.filter(entry => namesOf(entry).includes(name))
  const [first] = matches
  if (first === undefined) throw new CommandError('notFound', `There is no '${text}' ${where}`)
  if (matches.length === 1) return first
  const ids = matches.map(entry => `id:${entry.id}`).join(', ')
  throw new CommandError('usage', `There are several '${text}' ${where}: name one by its id (${ids})`)
}
