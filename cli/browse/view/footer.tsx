/** The footer: transfers, the message or question, figures, and the keys that matter now. */
import { Box, Text } from 'ink'
import type { Space } from '../../../src/api/spaces.ts'
import { countOf, formatDuration, formatSize } from '../../../terminal/format.ts'
import { visible } from '../../../terminal/visible.ts'
import { lastHelpTop } from '../help-text.ts'
import { keysFor } from '../keys.ts'
import { isLoaded, lengthOf } from '../listing.ts'
import type { Mode, Prompt, Sharing } from '../modes.ts'
import { teamHere } from '../parts.ts'
import { viewOf } from '../place.ts'
import { currentLine } from '../share-dialog.ts'
import { mayGive, mayLink } from '../share-rights.ts'
import type { State, Transfer } from '../state.ts'
import { padTo, shorten, shortenStart, widthOf } from '../text.ts'
import { colorOf } from './theme.ts'

const barColumns = 20

function transferLine({ direction, label, done, total, startedAt }: Transfer, count: number, columns: number): string {
  const seconds = (Date.now() - startedAt) / 1000
  const speed = seconds > 0.5 ? done / seconds : 0
  const share = total === undefined || total === 0 ? 0 : Math.min(1, done / total)
  const filled = Math.round(share * barColumns)
  const bar =
    total === undefined ? '' : ` ${'█'.repeat(filled)}${'░'.repeat(barColumns - filled)} ${Math.floor(share * 100)}%`
  const rate = speed > 0 ? `  ${formatSize(Math.round(speed))}/s` : ''
  const left = speed > 0 && total !== undefined ? `  ${formatDuration((total - done) / speed)} left` : ''
  const more = count > 1 ? `  +${count - 1} more` : ''
  const figures = `${bar}${rate}${left}${more} `
  const arrow = direction === 'upload' ? '↑' : '↓'
  return ` ${arrow} ${shortenStart(label, columns - figures.length - 4)} ${figures}`
}

const Transfers = ({ state }: { state: State }) => {
  const [first] = state.transfers
  if (first === undefined) return null
  return (
    <Text color={colorOf('accent')} wrap="truncate">
      {padTo(transferLine(first, state.transfers.length, state.columns), state.columns)}
    </Text>
  )
}

/** Shows the typed text with its caret as a block. A text that is too long shows the part around the caret. */
const PromptLine = ({ prompt, columns }: { prompt: Prompt; columns: number }) => {
  const { text, caret } = prompt.line
  const label = ` ${shorten(prompt.label, Math.floor(columns / 2))}: `
  const room = columns - widthOf(label) - 1
  const before = shortenStart(visible(text.slice(0, caret)), room - 1)
  const [under = ' ', ...rest] = [...visible(text.slice(caret))]
  return (
    <Text wrap="truncate">
      <Text bold color={colorOf('accent')}>
        {label}
      </Text>
      {before}
      <Text inverse>{under}</Text>
      {shorten(rest.join(''), room - widthOf(before) - widthOf(under))}
    </Text>
  )
}

const MessageLine = ({ state }: { state: State }) => {
  const { mode, message, busy, columns } = state
  if (mode.kind === 'prompt') return <PromptLine prompt={mode} columns={columns} />
  if (mode.kind === 'confirm') {
    return (
      <Text bold color={colorOf('warning')} wrap="truncate">
        {` ${shorten(mode.question, columns - 9)} [y/n]`}
      </Text>
    )
  }
  if (busy !== undefined) return <Text dimColor>{` ${busy}…`}</Text>
  if (message === undefined) return <Text> </Text>
  const isError = message.tone !== 'info'
  return (
    <Text color={colorOf(isError ? 'bad' : 'good')} bold={isError} wrap="truncate">
      {` ${isError ? '✗ ' : ''}${shorten(visible(message.text), columns - 4)}`}
    </Text>
  )
}

const usageOf = ({
  storage_used: used,
  storage_quota: quota,
}: Pick<Space, 'storage_used' | 'storage_quota'>): string => {
  const share = quota > 0 ? ` (${Math.round((used / quota) * 100)}%)` : ''
  return `${formatSize(used)} of ${formatSize(quota)}${share}`
}

/** The storage that what is put here counts for: of the team, or of the user; of others it is not told. */
function storageOf(state: State, room: number): string {
  const { place, user } = state
  const trashOf = place.source.kind === 'trash' ? place.source.team : null
  const team = trashOf ?? teamHere(state)
  if (team !== undefined) return `${shorten(team.name, room)}: ${usageOf(team)}`
  const root = place.folder?.root ?? null
  if (root === null) return usageOf(user)
  return root.from === null ? '' : `shared by ${shorten(root.from, room)}`
}

/** Columns of a name in the status line. */
const nameColumns = 20

/** Formats the position of the cursor, the selection, and the used storage. */
function statusLine(state: State): string {
  const { place, selection, columns } = state
  const length = lengthOf(place.listing)
  const row = length === 0 ? 0 : place.cursor + 1
  const position = isLoaded(place.listing) ? `${row} of ${length}${place.listing.exact ? '' : '+'}` : ''
  const bytes = [...selection.values()].reduce((sum, entry) => sum + entry.size, 0)
  const selected = selection.size === 0 ? '' : `✓ ${countOf(selection.size, 'item')}, ${formatSize(bytes)}`
  const left = [position, selected].filter(part => part !== '').join('   ')
  const right = storageOf(state, nameColumns)
  return ` ${padTo(left, columns - widthOf(right) - 2)}${right} `
}

const modeHints: Readonly<Record<Exclude<Mode['kind'], 'list' | 'prompt' | 'help' | 'share'>, string>> = {
  confirm: 'y does it · n leaves it',
  picker: 'Enter chooses the first line, opens a folder · ⌫ up · n new folder · Esc',
  choice: 'j k move · Enter chooses · Esc leaves it',
  tags: 'Space puts a tag on or takes it off · o its files · n new tag · Esc closes',
  preview: 'j k scroll · g G start, end · D download · Esc closes',
}

/** The keys for the line at the cursor of the Share dialog. */
function sharingHint(state: State, dialog: Sharing): string {
  const { link } = currentLine(dialog)
  const adding = [...(mayGive(state, dialog.item) ? ['a add'] : []), ...(mayLink(state, dialog.item) ? ['n link'] : [])]
  const acts =
    link === undefined
      ? ['Enter changes it', 'e its end', 'x remove']
      : ['y copy', `Space ${link.is_active ? 'pause' : 'resume'}`, 'e last day', 'x revoke']
  return [...adding, ...acts, 'Esc closes'].join(' · ')
}

const reviewHint = 'j k scroll · a approve · x reject · D download · Esc closes'

/** Returns the hints that fit, without cutting any. */
function listHints(state: State): string {
  const wanted = keysFor(state).filter(({ hint }) => hint !== undefined)
  const last = wanted.filter(({ keys }) => keys.includes('?') || keys.includes('q'))
  const all = [...wanted.filter(entry => !last.includes(entry)), ...last]
  let left = state.columns - 2
  const parts: string[] = []
  const widthWith = (entry: (typeof all)[number]) => widthOf(hintOf(entry)) + 2
  const reserved = last.reduce((sum, entry) => sum + widthWith(entry), 0)
  for (const entry of all) {
    const needed = widthWith(entry) + (last.includes(entry) ? 0 : reserved)
    if (needed > left) continue
    parts.push(hintOf(entry))
    left -= widthWith(entry)
  }
  return parts.join('  ')
}

const hintOf = ({ keys, label, hint = '' }: ReturnType<typeof keysFor>[number]): string =>
  `${keys.includes('return') ? 'Enter' : label} ${hint}`

function hintLine(state: State): { text: string; isError: boolean } {
  const { mode } = state
  if (mode.kind === 'list') return { text: listHints(state), isError: false }
  if ((mode.kind === 'picker' || mode.kind === 'choice') && mode.error !== undefined) {
    return { text: mode.error, isError: true }
  }
  if (mode.kind === 'help') {
    const more = mode.top < lastHelpTop(state) ? 'more below · ' : ''
    return { text: `${more}j k scroll · Esc closes`, isError: false }
  }
  if (mode.kind === 'preview' && viewOf(state.place) === 'pending') return { text: reviewHint, isError: false }
  if (mode.kind === 'share') return { text: sharingHint(state, mode), isError: false }
  if (mode.kind !== 'prompt') return { text: modeHints[mode.kind], isError: false }
  if (mode.error !== undefined) return { text: mode.error, isError: true }
  if (mode.choices.length > 0) return { text: mode.choices.join('  '), isError: false }
  return { text: mode.busy ? 'Working…' : mode.hint, isError: false }
}

export const Footer = ({ state }: { state: State }) => {
  const hint = hintLine(state)
  return (
    <Box flexDirection="column">
      <Transfers state={state} />
      <MessageLine state={state} />
      <Text inverse wrap="truncate">
        {statusLine(state)}
      </Text>
      <Text
        color={hint.isError ? colorOf('bad') : undefined}
        bold={hint.isError}
        dimColor={!hint.isError}
        wrap="truncate"
      >
        {` ${hint.isError ? '✗ ' : ''}${shorten(visible(hint.text), state.columns - 4)}`}
      </Text>
    </Box>
  )
}
