/** Links in the words of the page and the terminal: what they allow, how they were used, and why one does not work. */
import type { FileItem } from './items.ts'
import { type LinkLevel, linkAdds, linkSees } from './link-levels.ts'
import type { Link, LinkReason } from './links.ts'
import type { SharingSettings } from './sharing-settings.ts'

/** The levels that a link on an item can have. */
export const linkLevelsFor = ({ is_directory }: Pick<FileItem, 'is_directory'>): LinkLevel[] =>
  is_directory ? ['view', 'upload', 'both'] : ['view']

const inFolder: Record<LinkLevel, string> = {
  view: 'Anyone with the link sees and downloads everything in it, without an account.',
  upload: 'Anyone with the link hands in files, without an account, and sees nothing of what is in the folder.',
  both: 'Anyone with the link sees, downloads and adds files, without an account. They change nothing.',
}

/** What a level allows, in one sentence. */
export const explainLinkLevel = (level: LinkLevel, { is_directory }: Pick<FileItem, 'is_directory'>): string =>
  is_directory ? inFolder[level] : 'Anyone with the link sees and downloads it, without an account.'

/** Why a link does not work, in a word or two. */
export const linkStates: Record<LinkReason, string> = {
  off: 'Turned off',
  paused: 'Paused',
  expired: 'Expired',
  used_up: 'Used up',
  maker: 'Maker lost access',
  item: 'Not available',
  rules: 'Needs changes',
}

const day = 24 * 60 * 60 * 1000

/** What would make a link work again: each is a change of the link. */
export type LinkRemedy = 'resume' | 'change' | 'take_over'

interface Circumstances {
  /** The link's last day in words. */
  end: string
  sharing: SharingSettings
  /** The id of the user who reads it. */
  userId: number | undefined
}

function explainRules({ has_password, created_at }: Link, { sharing }: Circumstances): [string, LinkRemedy?] {
  if (sharing.link_password_required && !has_password) {
    return ['Links need a password on this server. Set one to make it work again.', 'change']
  }
  const days = `${sharing.link_max_days} ${sharing.link_max_days === 1 ? 'day' : 'days'}`
  return Date.parse(created_at) + sharing.link_max_days * day > Date.now()
    ? [`Links last at most ${days} on this server. Set an end within them to make it work again.`, 'change']
    : [`Links last at most ${days} on this server, and these are over. Make a new one.`]
}

function explainMaker({ made_by }: Link, { userId }: Circumstances): [string, LinkRemedy?] {
  if (made_by === null) return ['Its maker is gone. Take it over to make it work again.', 'take_over']
  if (made_by.id === userId) return ['You may no longer make links here.']
  const name = made_by.full_name ?? made_by.username
  return [`${name} may no longer make links here. Take it over to make it work again.`, 'take_over']
}

/** Why a link does not work and what to do about it; null if it works. */
export function explainState(link: Link, circumstances: Circumstances): [string, LinkRemedy?] | null {
  const { level, reason, max_downloads } = link
  const { end, sharing } = circumstances
  if (reason === null) return null
  if (reason === 'off') {
    const what = sharing.links && linkAdds(level) ? 'Uploads by link are' : 'Links are'
    return [`${what} turned off on this server. An administrator can turn them on.`]
  }
  if (reason === 'paused') return ['Paused: its address leads nowhere until you resume it.', 'resume']
  if (reason === 'expired') return [`Expired on ${end}. Set a later end to make it work again.`, 'change']
  if (reason === 'used_up') {
    const downloads = max_downloads === 1 ? 'the one download is' : `all ${max_downloads} downloads are`
    return [`Used up: ${downloads} spent. Allow more to make it work again.`, 'change']
  }
  if (reason === 'maker') return explainMaker(link, circumstances)
  if (reason === 'rules') return explainRules(link, circumstances)
  return ['What it is on is in the trash, or waits for approval.']
}

const counted = (count: number, word: string): string =>
  `${count.toLocaleString('en-US')} ${word}${count === 1 ? '' : 's'}`

/** What a link was used for: `opened 12 times, 3 of 10 downloads, 1 upload`; null if for nothing yet. */
export function linkUse({ level, opened, downloads, uploads, max_downloads }: Link): string | null {
  if (opened + downloads + uploads === 0) return null
  const times = opened === 1 ? 'opened once' : `opened ${counted(opened, 'time')}`
  const of = max_downloads === null ? '' : ` of ${max_downloads.toLocaleString('en-US')}`
  const taken = `${downloads.toLocaleString('en-US')}${of} ${(max_downloads ?? downloads) === 1 ? 'download' : 'downloads'}`
  return [
    ...(opened > 0 ? [times] : []),
    ...(linkSees(level) || downloads > 0 ? [taken] : []),
    ...(linkAdds(level) || uploads > 0 ? [counted(uploads, 'upload')] : []),
  ].join(', ')
}
