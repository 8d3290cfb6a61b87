/** Makes a link to an item, copies its address, pauses and ends it. */
import { type LinkLevel, linkLevels } from '../../src/api/link-levels.ts'
import { explainLinkLevel, linkLevelsFor } from '../../src/api/link-words.ts'
import { createLink, deleteLink, type Link, updateLink } from '../../src/api/links.ts'
import { levelNames } from '../../src/api/share-words.ts'
import { formatDay } from '../../terminal/format.ts'
import { visible } from '../../terminal/visible.ts'
import { withAddress } from '../links.ts'
import { type App, attempt, say } from './app.ts'
import { askChoice } from './choosing.ts'
import { readEnd } from './end.ts'
import { lineOf } from './line-editor.ts'
import type { Sharing } from './modes.ts'
import { ask, confirm } from './prompting.ts'
import { reopen, showDialog } from './share-dialog.ts'
import { mayLink } from './share-rights.ts'
import { quoteName } from './text.ts'

/** A link as sentences name it. */
const nameOf = ({ label }: Link): string => (label === null ? 'The link' : `The link '${visible(label)}'`)

/** Copies the address of a link, and shows it for terminals that copy nothing. */
export function copyLink(app: App, _dialog: Sharing, link: Link) {
  if (link.url === null) return say(app, 'Its address cannot be read any more: make a new link', 'error')
  // Pasted into a shell, a line end in it would run what the server wrote before.
  const address = visible(link.url)
  app.copy(address)
  say(app, `Address copied: ${address}`)
}

const dayMs = 24 * 60 * 60 * 1000

/** The end of a new link: as late as the server allows, where it asks for one. */
function latestEnd(app: App): string | undefined {
  const { link_max_days: days } = app.store.get().user.sharing
  // A minute less, for a clock that is not the server's.
  return days === 0 ? undefined : new Date(Date.now() + days * dayMs - 60_000).toISOString()
}

interface NewLink {
  level: LinkLevel
  label: string | null
}

/** Asks for the password of a new link, then makes it. */
function askPassword(app: App, dialog: Sharing, { level, label }: NewLink): void {
  const { item } = dialog
  const isRequired = app.store.get().user.sharing.link_password_required
  let made: Link | undefined
  ask(app, {
    dialog,
    label: 'Password of the link',
    hint: `${isRequired ? 'Links need one here' : 'Nothing is none'} · Enter makes the link · Esc leaves it`,
    submit: async text => {
      const terms = { level, label, password: text === '' ? null : text, expires_at: latestEnd(app) }
      made = withAddress((await app.call(createLink, { item_id: item.id, ...terms })).link, app.server.url)
    },
    cancel: () => reopen(app, dialog),
    next: () => {
      const link = made
      if (link === undefined) return
      copyLink(app, dialog, link)
      void attempt(app, () => showDialog(app, item, dialog.cursor, link.id))
    },
  })
}

function askLabel(app: App, dialog: Sharing, level: LinkLevel): void {
  let label: string | null = null
  ask(app, {
    dialog,
    label: 'Label of the link',
    hint: 'Visitors do not see it; nothing is none · Enter goes on · Esc leaves it',
    submit: async text => {
      label = text.trim() === '' ? null : text.trim()
    },
    cancel: () => reopen(app, dialog),
    next: () => askPassword(app, dialog, { level, label }),
  })
}

/** Why there can be no link to the item of a dialog; undefined if there can. */
function refusalOf(app: App, { item }: Sharing): string | undefined {
  const state = app.store.get()
  if (!state.user.sharing.links) return 'Links are turned off on this server'
  return mayLink(state, item) ? undefined : `There can be no link to ${quoteName(item)} by you`
}

/** Asks what visitors may do, then for label and password, and makes the link. */
export function askLink(app: App, dialog: Sharing) {
  const refusal = refusalOf(app, dialog)
  if (refusal !== undefined) return say(app, refusal, 'error')
  const { link_uploads } = app.store.get().user.sharing
  const levels = linkLevelsFor(dialog.item).filter(level => link_uploads || level === 'view')
  const [only] = levels
  if (levels.length === 1 && only !== undefined) return askLabel(app, dialog, only)
  let level: LinkLevel | undefined
  askChoice(app, {
    title: `New link to ${quoteName(dialog.item)}`,
    options: levels.map(one => ({ name: levelNames[one], about: explainLinkLevel(one, dialog.item) })),
    cursor: 0,
    choose: async index => {
      level = levels[index] ?? linkLevels[0]
    },
    next: () => (level === undefined ? reopen(app, dialog) : askLabel(app, dialog, level)),
  })
}

export const pauseLink = (app: App, dialog: Sharing, link: Link): Promise<void> =>
  attempt(app, async () => {
    await app.call(updateLink, { id: link.id, is_active: !link.is_active })
    say(app, link.is_active ? `${nameOf(link)} is paused` : `${nameOf(link)} is no longer paused`)
    reopen(app, dialog)
  })

export function changeLinkEnd(app: App, dialog: Sharing, link: Link): void {
  ask(app, {
    dialog,
    label: 'Last day of the link',
    hint: 'A day as 2026-12-31, or 30d from now; nothing is no end · Esc leaves it',
    line: lineOf(link.expires_at === null ? '' : formatDay(link.expires_at)),
    submit: async text => {
      const expires_at = readEnd(text)
      await app.call(updateLink, { id: link.id, expires_at })
      say(app, expires_at === null ? `${nameOf(link)}: no end` : `${nameOf(link)}: until ${formatDay(expires_at)}`)
    },
    next: () => reopen(app, dialog),
    cancel: () => reopen(app, dialog),
  })
}

export function revokeLink(app: App, dialog: Sharing, link: Link): void {
  const work = async () => {
    await app.call(deleteLink, { id: link.id })
    say(app, `${nameOf(link)} is revoked`)
    await showDialog(app, dialog.item, dialog.cursor)
  }
  const question = `Revoke ${nameOf(link).replace('The', 'the')}? Nothing works with its address then.`
  confirm(app, question, () => attempt(app, work), { dialog, no: () => reopen(app, dialog) })
}
