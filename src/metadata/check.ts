/** Whether a text is a value of a field: one rule for each type. */
import * as z from 'zod/mini'
import type { FieldType } from '../api/metadata.ts'
import { email } from '../api/users.ts'

/** What of a field its values hang on. */
interface CheckedField {
  label: string
  field_type: FieldType
  /** The choices of a select field. */
  options: readonly string[] | null
}

interface TypeRule {
  fits(value: string, options: readonly string[]): boolean
  /** How the sentence `{label} must be …` ends. */
  mustBe: string
}

const fitsSchema = (schema: z.ZodMiniType) => (value: string) => schema.safeParse(value).success

const control = /\p{Cc}/u
const controlButLines = /(?![\t\n\r])\p{Cc}/u
const line: TypeRule = { fits: value => !control.test(value), mustBe: 'text without control characters' }

/**
 * Before the path so much text at most as no host and user has: the URL parser composes a host's name after it has taken
 * the ignored characters out, which takes the square of the marks that then stand in a row.
 */
const isAddress = /^https?:\/\/(?=[^/?#\\]{1,1000}(?:[/?#\\]|$))[^\s\p{Cc}]+$/iu

const rules: Record<FieldType, TypeRule> = {
  text: line,
  textarea: { ...line, fits: value => !controlButLines.test(value) },
  number: { fits: value => /^-?(\d+(\.\d+)?|\.\d+)$/.test(value), mustBe: 'a number such as 12.5' },
  date: { fits: fitsSchema(z.iso.date()), mustBe: 'a date such as 2026-12-31' },
  checkbox: { fits: value => value === 'true' || value === 'false', mustBe: "'true' or 'false'" },
  email: { fits: fitsSchema(email), mustBe: 'an email address' },
  url: {
    // The URL parser passes over line breaks, and takes `http:host` for a whole address.
    fits: value => isAddress.test(value) && URL.canParse(value),
    mustBe: 'an address that begins with http:// or https://',
  },
  select: { fits: (value, options) => options.includes(value), mustBe: 'one of its options' },
}

/** A value as it is kept: without white space around it, NFC. Blank ones are empty, and so not given. */
export const tidyValue = (value: string): string => value.trim().normalize('NFC')

/** Why a tidy, non-empty value does not fit its field, as a sentence, or null when it does. */
export function valueProblem(field: CheckedField, value: string): string | null {
  const { fits, mustBe } = rules[field.field_type]
  if (!value.isWellFormed()) return `${field.label} is not valid Unicode`
  return fits(value, field.options ?? []) ? null : `${field.label} must be ${mustBe}`
}
