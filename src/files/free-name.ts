/** Finds a free name if one is taken. */
import { type NumberedForm, numberedForm } from '../api/names.ts'
import type { Database } from '../db/database.ts'
import { createBinds } from '../db/keyset.ts'
import { isOneOfMany } from '../db/values.ts'

/** Returns those of the given names that are taken. */
type FindTaken = (names: readonly string[]) => Promise<ReadonlySet<string>>

/** Up to this number every number is tried, so that the smallest free one is found. */
const exactNumbers = 1000
/** Numbers to try in the first query; few names are taken more often. */
const firstNumbers = 32
/** Numbers to try in each query beyond `exactNumbers`. */
const numbersAtOnce = 64

export const range = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** `name (n).ext` for any n; the stem is cut once for each number of digits. */
export function openNumbering(name: string, isDirectory: boolean): (n: number) => string {
  const forms = new Map<number, NumberedForm>()
  return n => {
    const digits = String(n).length
    const form = forms.get(digits) ?? numberedForm(name, isDirectory, digits)
    forms.set(digits, form)
    return form.before + n + form.after
  }
}

/** Evenly spaced numbers between two others; all numbers between them if they are few. */
function numbersBetween(low: number, high: number): number[] {
  if (high - low <= numbersAtOnce) return range(low + 1, high - 1)
  const step = (high - low) / (numbersAtOnce + 1)
  return range(1, numbersAtOnce).map(index => low + Math.floor(index * step))
}

/** Numbers above `exactNumbers`, with distances that double. */
const farNumbers = range(0, 40).map(power => exactNumbers + 2 ** power)

/**
 * Returns `name (n).ext` with the smallest free n from 1 to 1,000. If all of these are taken, n is a free number right
 * after a taken one; it is the smallest free number if the taken ones have no gaps. Needs only a few queries.
 */
export async function pickFreeName(name: string, isDirectory: boolean, findTaken: FindTaken): Promise<string> {
  const nameOf = openNumbering(name, isDirectory)
  /** The first free number of the given ones, and the taken one before it. */
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

/** Those of the given names that rows of `files` matching a condition have. */
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

/** Those of the given names that live items of a folder (null: the root) have. */
export const findTakenIn = (
  db: Database,
  { spaceId, folderId }: { spaceId: number; folderId: number | null },
  names: readonly string[],
): Promise<Set<string>> =>
  findTakenNames(db, names, add => `space_id = ${add(spaceId)} AND live_parent = ${add(folderId ?? 0)}`)

/** Returns the name if it is free among the live items of a folder (null: the root), else a numbered form of it. */
export async function findFreeName(
  db: Database,
  spaceId: number,
  parentId: number | null,
  name: string,
  isDirectory: boolean,
): Promise<string> {
  const findTaken: FindTaken = names => findTakenIn(db, { spaceId, folderId: parentId }, names)
  const taken = await findTaken([name])
  return taken.size === 0 ? name : pickFreeName(name, isDirectory, findTaken)
}
