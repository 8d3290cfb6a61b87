/** The rate limits of a new key, as typed. */
import { defaultRateLimits, maxRateLimits } from '../../../src/api/limits.ts'

export const windows = ['minute', 'hour', 'day'] as const
type Window = (typeof windows)[number]

/** An empty text and 0 mean the default. */
export type LimitTexts = Readonly<Record<Window, string>>
export const noLimits: LimitTexts = { minute: '', hour: '', day: '' }

export const defaultText = (window: Window): string => defaultRateLimits[window].toLocaleString('en-US')

/** The error of one limit in the server's words; null when it is valid. */
export function windowProblem(window: Window, text: string): string | null {
  const trimmed = text.trim()
  const isFine = /^\d*$/.test(trimmed) && Number(trimmed) <= maxRateLimits[window]
  return isFine ? null : `Expected a whole number from 1 to ${maxRateLimits[window].toLocaleString('en-US')}`
}

export const limitProblem = (limits: LimitTexts): string | null =>
  windows.map(window => windowProblem(window, limits[window])).find(problem => problem !== null) ?? null

/** The request's fields: only positive numbers. */
export function limitsToSend(limits: LimitTexts) {
  const positive = (text: string) => (Number(text) > 0 ? Number(text) : undefined)
  return {
    rate_limit_per_minute: positive(limits.minute),
    rate_limit_per_hour: positive(limits.hour),
    rate_limit_per_day: positive(limits.day),
  }
}
