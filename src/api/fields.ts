/** Small schemas from which the inputs of the calls are built. */
import * as z from 'zod/mini'
import { maxBatchSize, maxNameBytes, maxPageSize, maxPasswordBytes, minPasswordBytes } from './limits.ts'
import { isComposable, manyMarks, maxUnitsPerCharacter, nameProblem, utf8Length } from './names.ts'

/** Above 2^53 a number loses precision, and two different ids would be read as the same one. */
const isExact = (text: string): boolean => Number.isSafeInteger(Number(text))

const digits = z
  .string()
  .check(z.regex(/^[1-9]\d{0,15}$/, 'Expected a positive whole number'), z.refine(isExact, 'Expected a smaller number'))

/** An id in a JSON body: a positive integer, not a string of digits. */
export const id = z.int('Expected a positive whole number').check(z.positive('Expected a positive whole number'))

/** The ids of the items that one call is about. */
export const itemIds = z
  .array(id)
  .check(z.minLength(1, 'Choose at least one item'), z.maxLength(maxBatchSize, `At most ${maxBatchSize} ids at a time`))

/** An id in a path, a query or a form: a string of digits, or the number itself from a typed client. */
export const textId = z.pipe(
  z.union([digits, id], 'Expected a positive whole number'),
  z.transform(value => Number(value)),
)

/** The parent folder in a query or form; absent, empty or `null` means the root. */
export const textParentId = z.optional(
  z.pipe(
    z.union([z.enum(['', 'null']), z.null(), digits, id], 'Expected the id of a folder'),
    z.transform(value => (value === '' || value === 'null' || value === null ? null : Number(value))),
  ),
)

/** The parent folder in a JSON body; absent, empty or null means the root. */
export const parentId = z.optional(
  z.pipe(
    z.union([z.literal(''), z.null(), id], 'Expected the id of a folder'),
    z.transform(value => (value === '' ? null : value)),
  ),
)

/** At most `max` UTF-16 units. Goes before checks whose cost grows with the length: a longer text aborts the rest. */
export const atMostUnits = (max: number, error: string) => z.maxLength(max, { error, abort: true })

/** The same for a text that may have `max` characters after normalising: its typed form may have more units. */
const measured = (max: number, error: string) =>
  z.refine<string>(text => text.length <= max * maxUnitsPerCharacter, { error, abort: true })

/** Aborts the remaining checks if a text must not be normalised. */
export const composable = z.refine<string>(isComposable, { error: manyMarks, abort: true })

/** A file or folder name: NFC-normalised, then checked by names.ts. */
export const itemName = z.string().check(
  measured(maxNameBytes, `Name is longer than ${maxNameBytes} bytes`),
  composable,
  z.normalize('NFC'),
  z.superRefine((name, context) => {
    const problem = nameProblem(name)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: name })
  }),
)

/** Counts code points, as the databases and JSON Schema do; `length` would count an emoji twice. */
const atMost = (max: number, error: string) => [
  z.refine<string>(value => [...value].length <= max, { error, abort: true }),
  z.meta({ maxLength: max }),
]

const longerThan = (label: string, max: number): string => `${label} is longer than ${max} characters`

/** A name, label or comment as people type it: trimmed, NFC, at most `max` characters, no control characters. */
export const lineOfText = (label: string, max: number, whenBlank = `${label} is required`) =>
  z.string().check(
    z.trim(),
    measured(max, longerThan(label, max)),
    composable,
    z.normalize('NFC'),
    z.minLength(1, whenBlank),
    ...atMost(max, longerThan(label, max)),
    z.refine(value => !/\p{Cc}/u.test(value), `${label} cannot contain control characters`),
    z.refine(value => value.isWellFormed(), `${label} is not valid Unicode`),
  )

/** Text of several lines, possibly empty: trimmed, NFC, at most `max` characters. */
export const textBlock = (label: string, max: number) =>
  z.string().check(
    z.trim(),
    measured(max, longerThan(label, max)),
    composable,
    z.normalize('NFC'),
    ...atMost(max, longerThan(label, max)),
    z.refine(value => !/(?![\t\n\r])\p{Cc}/u.test(value), `${label} cannot contain control characters`),
    z.refine(value => value.isWellFormed(), `${label} is not valid Unicode`),
  )

/** A number of bytes or days in a JSON body: whole, 0 or more. */
export const wholeNumber = z.int('Expected a whole number').check(z.nonnegative('Expected a whole number of 0 or more'))

/** The same in a query. */
export const textWholeNumber = z.pipe(
  z.union(
    [z.string().check(z.regex(/^(0|[1-9]\d{0,15})$/), z.refine(isExact)), wholeNumber],
    'Expected a whole number of 0 or more',
  ),
  z.transform(value => Number(value)),
)

/** A time on the wire: ISO 8601, UTC, with milliseconds. */
export const time = z.iso.datetime({ precision: 3 })

/** `length` is compared first because it is cheap: a text never has fewer UTF-8 bytes than UTF-16 units. */
const passwordBytes = z.refine<string>(
  value => value.length <= maxPasswordBytes && utf8Length(value) <= maxPasswordBytes,
  { error: `Use at most ${maxPasswordBytes} bytes`, abort: true },
)

/** A new password: 8 to 1,024 UTF-8 bytes, not trimmed; there is no other rule. */
export const newPassword = z.string().check(
  passwordBytes,
  z.refine(value => utf8Length(value) >= minPasswordBytes, `Use at least ${minPasswordBytes} characters`),
)

/** A password to be verified. Its length is bounded, so that long input cannot cost hashing time. */
export const givenPassword = z.string().check(passwordBytes, z.minLength(1, 'Enter the password'))

/** A whole number in a query, from `least` (0 or more) to `most`. */
export function textNumber(least: number, most: number) {
  const wrong = `Expected a whole number from ${least} to ${most}`
  return z
    .pipe(
      z.union([z.string().check(z.regex(/^(0|[1-9]\d{0,15})$/, wrong)), z.int(wrong)], wrong),
      z.transform(value => Number(value)),
    )
    .check(z.refine(value => value >= least && value <= most, wrong))
}

/** The page size in a query: 1 to 1,000 entries. */
export const limit = z.optional(textNumber(1, maxPageSize))

export const cursor = z.optional(z.string().check(atMostUnits(4096, 'Unknown cursor')))

/** The whole name of a user or a group. */
export const exactName = z.string().check(atMostUnits(255, 'The name is too long'), z.minLength(1, 'Name is required'))

/** A yes or no in a query. */
export const textFlag = z.optional(
  z.pipe(
    z.enum(['true', 'false']),
    z.transform(value => value === 'true'),
  ),
)

/** No input besides the path. */
export const nothing = z.strictObject({})
export const onlyId = z.strictObject({ id: textId })
