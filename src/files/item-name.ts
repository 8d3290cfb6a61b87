/** The columns that follow from a name, and free names where one is taken. */
import mime from 'mime-types'
import { type NumberedForm, numberedForm, splitName } from '../api/names.ts'
import type { Database } from '../db/database.ts'
import { fold, sortKey } from '../db/fold.ts'
import { createBinds } from '../db/keyset.ts'
import { isOneOfMany } from '../db/values.ts'

/** The type that a name's extension stands for; the one a client declares is not trusted. */
const mimeTypeOf = (name: string): string => {
  const { extension } = splitName(name, false)
  // Asked for a bare word, the library would take the word itself for an extension.
  return (extension !== '' && mime.lookup(extension)) || 'application/octet-stream'
}

/** name, name_folded, sort_key and mime_type of an item called so. */
export const nameColumns = (name: string, isDirectory: boolean) => ({
  name,
  name_folded: fold(name),
  sort_key: sortKey(name),
  mime_type: isDirectory ? null : mimeTypeOf(name),
})

/** Which of some names are taken. */
type FindTaken = (names: readonly string[]) => Promise<ReadonlySet<string>>

/** Up to here every number is looked at, so that the smallest free one is found. */
const exactNumbers = 1000
/** Numbers of the first look: few names are taken more often. */
const firstNumbers = 32
/** Numbers of each look beyond. */
const numbersAtOnce = 64

const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** `name (n).ext` for any n; the stem is cut once for each number of digits. */
function openNumbering(name: string, isDirectory: boolean): (n: number) => string {
  const forms = new Map<number, NumberedForm>()
  return n => {
    const digits = String(n).length
    const form = forms.get(digits) ?? numberedForm(name, isDirectory, digits)
    forms.set(digits, form)
    return form.before + n + form.after
  }
}

/** Numbers between two others, evenly apart; all of them where they are few. */
function numbersBetween(low: number, high: number): number[] {
  if (high - low <= numbersAtOnce) return range(low + 1, high - 1)
  const step = (high - low) / (numbersAtOnce + 1)
  return range(1, numbersAtOnce).map(index => low + Math.floor(index * step))
}

/** Numbers beyond, each about twice as far away as the one before. */
const farNumbers = range(0, 40).map(power => exactNumbers + 2 ** power)

/**
 * `name (n).ext` with the smallest free n from 1 to 1,000; where these are all taken, with a free n that comes right
 * after a taken one: the smallest free n of all where no number is left out. A few looks find it, however many are taken.
 */
export async function pickFreeName(name: string, isDirectory: boolean, findTaken: FindTaken): Promise<string> {
  const nameOf = openNumbering(name, isDirectory)
  /** The first free one of some numbers, and the taken one before it. */
  const look = async (numbers: readonly number[]) => {
    const names = await findTaken(numbers.map(nameOf))
    const index = numbers.findIndex(n => !names.has(nameOf(n)))
    return index < 0 ? { taken: numbers.at(-1) } : { free: numbers[index], taken: numbers[index - 1] }
  }
  for (const numbers of [range(1, firstNumbers), range(firstNumbers + 1, exactNumbers)]) {
    const { free } = await look(numbers)
    if (free !== undefined) return nameOf(free)
  }
  let [taken, free] = [exactNumbers, Number.MAX_SAFE_INTEGER]
  for (let numbers = farNumbers; numbers.length > 0; numbers = numbersBetween(taken, free)) {
    const found = await look(numbers)
    taken = found.taken ?? taken
    free = found.free ?? free
  }
  return nameOf(free)
}

type Add = ReturnType<typeof createBinds>['add']

/** Which of some names the rows of `files` bear that a condition chooses. */
export async function findTakenNames(
  db: Database,
  names: readonly string[],
  where: (add: Add) => string,
): Promise<Set<string>> {
  const { condition, values } = isOneOfMany(db.dialect, 'name', names)
  const binds = createBinds(...values)
  const rows = await db.rows<{ name: string }>(
    `SELECT name FROM files WHERE ${where(binds.add)} AND ${condition}`,
    binds.values,
  )
  return new Set(rows.map(row => row.name))
}

/** The name itself where it is free among the live items of a folder (null: the root), else one with a number. */
export async function findFreeName(
  db: Database,
  spaceId: number,
  parentId: number | null,
  name: string,
  isDirectory: boolean,
): Promise<string> {
  const findTaken: FindTaken = names =>
    findTakenNames(db, names, add => `space_id = ${add(spaceId)} AND live_parent = ${add(parentId ?? 0)}`)
  const taken = await findTaken([name])
  return taken.size === 0 ? name : pickFreeName(name, isDirectory, findTaken)
}
