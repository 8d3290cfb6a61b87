/** What a column may hold, and what a repair puts in the place of anything else. */
import type * as z from 'zod/mini'
import { parseStored } from '../../db/stored-json.ts'
import type { Row } from '../../db/tables.ts'

type Cell = Row[string]

export interface Rule {
  fits(value: Cell | undefined, row: Row): boolean
  /** What a value is not, as the rest of a sentence: `its kind is none`. */
  detail: string
  /** The columns that are set right; absent where nobody knows what stood there. */
  mend?: (row: Row) => Row
  /** What is right follows from other columns, and another release may know it in another way. */
  isDerived?: true
}

/** `told`: another check holds it to what it stands for. `any`: nobody can tell what is right from what is not. */
type ColumnRule = Rule | 'told' | 'any'

export interface TableRules {
  columns: Record<string, ColumnRule>
  /** A row with anything wrong is taken away: what it says is learned or made anew. */
  isDropped?: true
}

type Mend = Rule['mend']

const isInteger = (value: Cell | undefined): value is number => Number.isSafeInteger(value)
/** Milliseconds that a Date may be away from 1970 (ECMA-262, Time Values). */
const maxTime = 8.64e15
const isTime = (value: Cell | undefined): boolean => isInteger(value) && Math.abs(value) <= maxTime

const rule = (detail: string, fits: Rule['fits'], mend?: Mend): Rule =>
  mend ? { detail, fits, mend } : { detail, fits }

/** A rule for a column that may be empty as well. */
export const maybe = ({ fits, ...rest }: Rule): Rule => ({
  ...rest,
  fits: (value, row) => value === null || fits(value, row),
})

export const flag = (column: string, mend: (row: Row) => 0 | 1): Rule =>
  rule(
    `its ${column} is neither 0 nor 1`,
    value => value === 0 || value === 1,
    row => ({ [column]: mend(row) }),
  )

/** A time; `mended` is what stands for one that is none. */
export const time = (column: string, mended: () => number | null = Date.now): Rule =>
  rule(`its ${column} is no time`, isTime, () => ({ [column]: mended() }))

/** A whole number from `least` on. */
export const count = (column: string, mended: () => number | null, least = 0): Rule =>
  rule(
    `its ${column} is no number from ${least} on`,
    value => isInteger(value) && value >= least,
    () => ({ [column]: mended() }),
  )

export const oneOf = (column: string, values: readonly string[], mend?: Mend): Rule =>
  rule(`its ${column} is none of those that there are`, value => values.some(known => known === value), mend)

export const pattern = (column: string, form: RegExp, mend?: Mend): Rule =>
  rule(`its ${column} has not the form of one`, value => typeof value === 'string' && form.test(value), mend)

/**
 * For a column of text: one bit of a row of SQLite's tells text from bytes, and what is looked for as text is not found
 * among bytes.
 */
export const asText = (column: string): Rule => ({
  detail: `its ${column} is kept as bytes, not as text`,
  fits: value => !Buffer.isBuffer(value),
})

/** What follows from other columns of the row. */
export const derived = (column: string, derive: (row: Row) => Cell): Rule => ({
  detail: `its ${column} is not what follows from the rest of it`,
  fits: (value, row) => value === derive(row),
  mend: row => ({ [column]: derive(row) }),
  isDerived: true,
})

/** JSON of a form. */
export const json = (column: string, schema: z.ZodMiniType, mend: Mend): Rule =>
  rule(
    `its ${column} cannot be read`,
    value => typeof value === 'string' && parseStored(schema, value) !== undefined,
    mend,
  )

/** Another rule for this row. */
export const either = (choose: (row: Row) => Rule, detail: string): Rule => ({
  detail,
  fits: (value, row) => choose(row).fits(value, row),
  mend: row => choose(row).mend?.(row) ?? {},
})
