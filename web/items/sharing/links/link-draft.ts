/** A link's options as its form has them, and as the server takes them. */
import type { FieldErrors } from '../../../../src/api/errors.ts'
import { maxLinkDownloads, minPasswordBytes } from '../../../../src/api/limits.ts'
import { type LinkLevel, linkAdds, linkSees } from '../../../../src/api/link-levels.ts'
import type { Link } from '../../../../src/api/links.ts'
import { utf8Length } from '../../../../src/api/names.ts'
import type { SharingSettings } from '../../../../src/api/sharing-settings.ts'
import type { LinkChange } from '../../../lib/data/links.ts'
import { toBytes, toGigabytes } from '../../../lib/words/gigabytes.ts'
import { dayOf, dayProblem, endOfDay } from '../end-date.ts'

export interface LinkDraft {
  level: LinkLevel
  label: string
  /** Empty: none, or the one that the link has. */
  password: string
  /** Whether the link's password is taken away. */
  isOpened: boolean
  /** `YYYY-MM-DD`, or empty. */
  day: string
  downloads: string
  gigabytes: string
  askName: boolean
}

/** The fields that can show the server's errors. */
export const draftFields = ['label', 'password', 'expires_at', 'max_downloads', 'max_bytes', 'ask_name']

const emptyDraft: LinkDraft = {
  level: 'view',
  label: '',
  password: '',
  isOpened: false,
  day: '',
  downloads: '',
  gigabytes: '',
  askName: false,
}

type Rules = Pick<SharingSettings, 'link_max_days' | 'link_password_required'>

const dayLength = 24 * 60 * 60 * 1000
/** What the clocks of browser and server may differ by, in ms. */
const clockGap = 5 * 60 * 1000

/** The latest end of a link as a time; undefined where there is no rule. `made` is when it was made; null for a new one. */
function latestEnd(made: string | null, { link_max_days }: Rules): number | undefined {
  if (link_max_days === 0) return undefined
  const from = made === null ? Date.now() - clockGap : Date.parse(made)
  return from + link_max_days * dayLength
}

/** The last day that can be chosen; undefined where there is no rule. */
export function latestDay(before: Link | null, rules: Rules): string | undefined {
  const latest = latestEnd(before?.created_at ?? null, rules)
  return latest === undefined ? undefined : dayOf(new Date(latest))
}

/** A new link, which ends as late as the server allows. */
export const newDraft = (rules: Rules): LinkDraft => ({ ...emptyDraft, day: latestDay(null, rules) ?? '' })

export const draftOf = (link: Link): LinkDraft => ({
  level: link.level,
  label: link.label ?? '',
  password: '',
  isOpened: false,
  day: link.expires_at === null ? '' : dayOf(new Date(link.expires_at)),
  downloads: link.max_downloads === null ? '' : String(link.max_downloads),
  gigabytes: link.max_bytes === null ? '' : toGigabytes(link.max_bytes),
  askName: link.ask_name,
})

/** The end of the day, or the latest time that the server allows on that day; null for none. */
function endOf(day: string, before: Link | null, rules: Rules): string | null {
  const end = endOfDay(day)
  const latest = latestEnd(before?.created_at ?? null, rules)
  return end === null || latest === undefined || Date.parse(end) <= latest ? end : new Date(latest).toISOString()
}

const isWhole = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= maxLinkDownloads

/** What is wrong with a draft, by field. `before` is the link that it changes. */
export function draftErrors(draft: LinkDraft, before: Link | null, rules: Rules): FieldErrors {
  const { level, password, isOpened, day, downloads, gigabytes } = draft
  const latest = latestDay(before, rules)
  const isSecret = password !== '' || (before?.has_password === true && !isOpened)
  const isKeptDay = before !== null && day === draftOf(before).day
  const wrongDay = isKeptDay ? null : dayProblem(day)
  return {
    ...(rules.link_password_required && !isSecret ? { password: 'Links need a password on this server' } : {}),
    ...(password !== '' && utf8Length(password) < minPasswordBytes
      ? { password: `Use at least ${minPasswordBytes} characters` }
      : {}),
    ...(wrongDay === null ? {} : { expires_at: wrongDay }),
    ...(latest !== undefined && (day === '' || day > latest)
      ? { expires_at: `Links last at most ${rules.link_max_days} days on this server` }
      : {}),
    ...(linkSees(level) && downloads !== '' && !isWhole(downloads)
      ? { max_downloads: `Enter a whole number from 1 to ${maxLinkDownloads.toLocaleString('en-US')}` }
      : {}),
    ...(linkAdds(level) && gigabytes !== '' && !(Number(gigabytes) > 0) ? { max_bytes: 'Enter a size in GB' } : {}),
  }
}

/** All options of a draft; what does not fit its level is left out. */
function optionsOf(draft: LinkDraft, before: Link | null, rules: Rules) {
  const { level, label, day, downloads, gigabytes, askName } = draft
  return {
    level,
    label: label.trim() === '' ? null : label.trim(),
    expires_at: endOf(day, before, rules),
    max_downloads: linkSees(level) && downloads !== '' ? Number(downloads) : null,
    max_bytes: linkAdds(level) && gigabytes !== '' ? toBytes(gigabytes) : null,
    ask_name: linkAdds(level) && askName,
  }
}

export const newOptions = (draft: LinkDraft, rules: Rules) => ({
  ...optionsOf(draft, null, rules),
  ...(draft.password === '' ? {} : { password: draft.password }),
})

/**
 * A link that works just as one made from the draft would. One with a label, a password or a limit is never such a
 * link: it is meant for somebody, cannot be compared, or is partly used.
 */
export const findTwin = (draft: LinkDraft, links: readonly Link[], rules: Rules): Link | undefined =>
  links.find(
    link =>
      link.works &&
      link.url !== null &&
      link.label === null &&
      !link.has_password &&
      link.max_downloads === null &&
      link.max_bytes === null &&
      Object.keys(changesOf(draft, link, rules)).length === 0,
  )

/** What a draft changes of a link. */
export function changesOf(draft: LinkDraft, before: Link, rules: Rules): LinkChange {
  const [now, then] = [optionsOf(draft, before, rules), optionsOf(draftOf(before), before, rules)]
  const changed = Object.entries(now).filter(([key, value]) => value !== then[key as keyof typeof then])
  const password = draft.password !== '' ? { password: draft.password } : draft.isOpened ? { password: null } : {}
  return { ...(Object.fromEntries(changed) as LinkChange), ...password }
}
