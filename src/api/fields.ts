/** The small schemas that the contract's inputs are made of. */
import * as z from 'zod/mini'
import { maxPageSize, maxPasswordBytes, minPasswordBytes } from './limits.ts'
import { nameProblem, utf8Length } from './names.ts'

const digits = z.string().check(z.regex(/^[1-9]\d{0,15}$/, 'Expected a positive whole number'))

/** An id in a JSON body: a positive integer, no digits in a string. */
export const id = z.int('Expected a positive whole number').check(z.positive('Expected a positive whole number'))

/** An id in a path, a query or a form: digits, or from a typed client the number itself. */
export const textId = z.pipe(
  z.union([digits, id], 'Expected a positive whole number'),
  z.transform(value => Number(value)),
)

/** The folder to list or to put things into, in a query or form: absent, empty and `null` are the root. */
export const textParentId = z.optional(
  z.pipe(
    z.union([z.enum(['', 'null']), z.null(), digits, id], 'Expected the id of a folder'),
    z.transform(value => (value === '' || value === 'null' || value === null ? null : Number(value))),
  ),
)

/** The same in a JSON body: absent and null are the root. */
export const parentId = z.optional(z.nullable(id))

/** A file or folder name: NFC-normalised, then checked by names.ts. */
export const itemName = z.string().check(
  z.normalize('NFC'),
  z.superRefine((name, context) => {
    const problem = nameProblem(name)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem, input: name })
  }),
)

/** A new password: 8 to 1,024 UTF-8 bytes, never trimmed, no other rule. */
export const newPassword = z.string().check(
  z.refine(value => utf8Length(value) >= minPasswordBytes, `Use at least ${minPasswordBytes} characters`),
  z.refine(value => utf8Length(value) <= maxPasswordBytes, `Use at most ${maxPasswordBytes} bytes`),
)

/** A password that is to be compared; bounded, so that no input can buy hashing time. */
export const givenPassword = z.string().check(
  z.minLength(1, 'Enter the password'),
  z.refine(value => utf8Length(value) <= maxPasswordBytes, `Use at most ${maxPasswordBytes} bytes`),
)

/** Entries on a page, in a query: 1 to 1,000. */
export const limit = z.optional(
  z
    .pipe(
      z.union([digits, z.int()], `Expected a whole number from 1 to ${maxPageSize}`),
      z.transform(value => Number(value)),
    )
    .check(z.refine(value => value >= 1 && value <= maxPageSize, `Expected a whole number from 1 to ${maxPageSize}`)),
)

export const cursor = z.optional(z.string().check(z.maxLength(4096, 'Unknown cursor')))

/** Nothing but what the path holds. */
export const nothing = z.strictObject({})
export const onlyId = z.strictObject({ id: textId })
