/** Checks whether a text is a valid value of a metadata field; each type has one rule. */

import * as z from 'zod/mini'
import type { FieldType } from '../api/metadata.ts'
import { email } from '../api/users.ts'
import { parseUrl } from '../base/parse-url.ts'

/** The properties of a field that decide which values are valid. */
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
 * Allows at most 1,000 characters before the path, more than any host and user name have. The URL parser normalises the
 * host after removing ignored characters, which takes time quadratic in the number of marks that are then in a row.
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
    // The regular expression is needed because the URL parser ignores line breaks and accepts `http:host`.
    fits: value => isAddress.test(value) && parseUrl(value) !== null,
    mustBe: 'an address that begins with http:// or https://',
  },
  select: { fits: (value, options) => options.includes(value), mustBe: 'one of its options' },
}

/** A value as stored: trimmed and NFC. A blank value becomes empty, which means no value. */
export const tidyValue = (value: string): string => value.trim().normalize('NFC')

/** Returns why a tidy, non-empty value is invalid for its field, as a sentence, or null if it is valid. */
export function valueProblem(field: CheckedField, value: string): string | null {
  const { fits, mustBe } = rules[field.field_type]
  if (!value.isWellFormed()) return `${field.label} is not valid Unicode`
  return fits(value, field.options ?? []) ? null : `${field.label} must be ${mustBe}`
}
