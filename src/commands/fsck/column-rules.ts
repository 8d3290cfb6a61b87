/** Rules for columns: the valid values, and the replacement for invalid ones. */
import type * as z from 'zod/mini'
import { parseStored } from '../../db/stored-json.ts'
import type { Row } from '../../db/tables.ts'

type Cell = Row[string]

export interface Rule {
  fits(value: Cell | undefined, row: Row): boolean
  /** What is wrong, as the rest of a sentence: `its kind is none`. */
  detail: string
  /** Returns the corrected columns; absent when the right value cannot be known. */
  mend?: (row: Row) => Row
  /**
   * Whether some release could have derived the value from the rest of the row. Backups are held to this alone: an
   * older or newer release may derive another value than this one.
   */
  couldBe?: (value: Cell | undefined) => boolean
  /** fsck reports it by a check that looks at more than the row; only backups are held to the rule. */
  isToldElsewhere?: true
}

/** `told`: another check, which reads other rows too, covers the column. `any`: every value is valid. */
type ColumnRule = Rule | 'told' | 'any'

export interface TableRules {
  columns: Record<string, ColumnRule>
  /** An invalid row is deleted, because its content is learned or computed again. */
  isDropped?: true
}

type Mend = Rule['mend']

const isInteger = (value: Cell | undefined): value is number => Number.isSafeInteger(value)
/** The range of a Date in milliseconds around 1970 (ECMA-262, Time Values). */
const maxTime = 8.64e15
const isTime = (value: Cell | undefined): boolean => isInteger(value) && Math.abs(value) <= maxTime

const rule = (detail: string, fits: Rule['fits'], mend?: Mend): Rule =>
  mend ? { detail, fits, mend } : { detail, fits }

/** A rule for a column that may also be null. */
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

/** A time; `mended` returns the replacement for an invalid one. */
export const time = (column: string, mended: () => number | null = Date.now): Rule =>
  rule(`its ${column} is no time`, isTime, () => ({ [column]: mended() }))

export const maybeTime = (column: string): Rule => maybe(time(column, () => null))

/** A whole number of at least `least`. */
export const count = (column: string, mended: () => number | null, least = 0): Rule =>
  rule(
    `its ${column} is no number from ${least} on`,
    value => isInteger(value) && value >= least,
    () => ({ [column]: mended() }),
  )

export const oneOf = (column: string, values: readonly string[], mend?: Mend): Rule =>
  rule(`its ${column} is none of those that there are`, value => values.some(known => known === value), mend)

export const pattern = (column: string, form: RegExp, mend?: Mend): Rule =>
  rule(`its ${column} is malformed`, value => typeof value === 'string' && form.test(value), mend)

/** For a text column. In SQLite one flipped bit turns text into bytes, and a search for text does not find bytes. */
export const asText = (column: string): Rule => ({
  detail: `its ${column} is kept as bytes, not as text`,
  fits: value => !Buffer.isBuffer(value),
})

/** A value that follows from other columns of the row; `couldBe` if not every release derives the same. */
export const derived = (column: string, derive: (row: Row) => Cell, couldBe?: Rule['couldBe']): Rule => ({
  ...rule(
    `its ${column} is not what follows from the rest of it`,
    (value, row) => value === derive(row),
    row => ({ [column]: derive(row) }),
  ),
  ...(couldBe && { couldBe }),
})

/** A rule for backups alone, because a check of fsck says more about such a row. */
export const toldElsewhere = (rest: Rule): Rule => ({ ...rest, isToldElsewhere: true })

/** JSON that matches a schema. */
export const json = (column: string, schema: z.ZodMiniType, mend: Mend): Rule =>
  rule(
    `its ${column} cannot be read`,
    value => typeof value === 'string' && parseStored(schema, value) !== undefined,
    mend,
  )

/** Chooses the rule by the row. */
export const either = (choose: (row: Row) => Rule, detail: string): Rule => ({
  detail,
  fits: (value, row) => choose(row).fits(value, row),
  mend: row => choose(row).mend?.(row) ?? {},
})
