/** Gives access to an item, changes it and takes it away. */
import { type ShareLevel, shareLevels } from '../../src/api/share-levels.ts'
import { explainLevel, levelNames, levelsFor } from '../../src/api/share-words.ts'
import { type AccessEntry, createShare, deleteShare, type Grantee, updateShare } from '../../src/api/shares.ts'
import { formatDay } from '../../terminal/format.ts'
import { visible } from '../../terminal/visible.ts'
import { findGrantee, granteeName } from '../grantee.ts'
import { type App, attempt, say } from './app.ts'
import { askChoice } from './choosing.ts'
import { readEnd } from './end.ts'
import { lineOf } from './line-editor.ts'
import { refresh } from './loading.ts'
import type { Sharing } from './modes.ts'
import { completePerson, suggestPeople } from './people.ts'
import { ask, confirm } from './prompting.ts'
import { isSelf, isSharingOff, reopen, showDialog } from './share-dialog.ts'
import { mayGive } from './share-rights.ts'
import { quoteName } from './text.ts'

/** Asks for a level; `choose` does something with it. */
function askLevel(
  app: App,
  dialog: Sharing,
  question: { title: string; level: AccessEntry['level']; choose: (level: ShareLevel) => Promise<void> },
): void {
  const levels = levelsFor(dialog.item)
  askChoice(app, {
    title: question.title,
    options: levels.map(level => ({ name: levelNames[level], about: explainLevel(level, dialog.item) })),
    cursor: Math.max(0, levels.map(String).indexOf(question.level)),
    choose: async index => question.choose(levels[index] ?? shareLevels[0]),
    next: () => reopen(app, dialog),
  })
}

async function give(app: App, { item }: Sharing, { kind, name }: Grantee, level: ShareLevel): Promise<void> {
  const whom = kind === 'group' ? { group_name: name } : { username: name }
  await app.call(createShare, { item_id: item.id, level, ...whom })
  say(app, `Shared with ${visible(granteeName({ kind, name }))}`)
}

/** Asks whom to give access, then which. */
export function askPerson(app: App, dialog: Sharing) {
  if (!mayGive(app.store.get(), dialog.item))
    return say(app, 'You may make links here, but give nobody access', 'error')
  if (isSharingOff(dialog.item, app.store.get().user))
    return say(app, 'Sharing with people is turned off on this server', 'error')
  const isExact = app.store.get().user.sharing.find_people === 'exact'
  let grantee: Grantee | undefined
  ask(app, {
    dialog,
    label: 'Share with',
    hint: `${isExact ? 'The whole username' : 'A name'}, or @group · Tab completes · Enter goes on · Esc leaves it`,
    complete: text => completePerson(app, text),
    suggest: text => suggestPeople(app, text),
    submit: async text => {
      grantee = await findGrantee(app.call, text.trim())
    },
    cancel: () => reopen(app, dialog),
    next: () => {
      const whom = grantee
      if (whom === undefined) return
      const title = `Access of ${visible(granteeName(whom))}`
      askLevel(app, dialog, { title, level: 'view', choose: level => give(app, dialog, whom, level) })
    },
  })
}

export function changeLevel(app: App, dialog: Sharing, entry: AccessEntry): void {
  const name = visible(granteeName(entry.who))
  askLevel(app, dialog, {
    title: `Access of ${name}`,
    level: entry.level,
    choose: async level => {
      await app.call(updateShare, { id: entry.share_id ?? 0, level })
      say(app, `${name}: ${levelNames[level]}`)
    },
  })
}

export function changeEnd(app: App, dialog: Sharing, entry: AccessEntry): void {
  const name = visible(granteeName(entry.who))
  ask(app, {
    dialog,
    label: `Last day of ${name}`,
    hint: 'A day as 2026-12-31, or 30d from now; nothing is no end · Esc leaves it',
    line: lineOf(entry.expires_at === null ? '' : formatDay(entry.expires_at)),
    submit: async text => {
      const expires_at = readEnd(text)
      await app.call(updateShare, { id: entry.share_id ?? 0, expires_at })
      say(app, expires_at === null ? `${name}: no end` : `${name}: until ${formatDay(expires_at)}`)
    },
    next: () => reopen(app, dialog),
    cancel: () => reopen(app, dialog),
  })
}

/** Takes access away; who gives up the own one cannot look at the dialog any more. */
export function removeAccess(app: App, dialog: Sharing, entry: AccessEntry): void {
  const { item } = dialog
  const isOwn = isSelf(entry, app.store.get().user)
  const name = visible(granteeName(entry.who))
  const question = isOwn
    ? `Leave ${quoteName(item)}? Only its other managers can let you in again.`
    : `Take the access to ${quoteName(item)} from ${name}?`
  const work = async () => {
    await app.call(deleteShare, { id: entry.share_id ?? 0 })
    say(app, isOwn ? `You have left ${quoteName(item)}` : `${name} no longer has access`)
    if (isOwn) await refresh(app)
    else await showDialog(app, item, dialog.cursor)
  }
  confirm(app, question, () => attempt(app, work), { dialog, no: () => reopen(app, dialog) })
}
