/** The top lines: the views, the account, and the current place. */
import { Box, Text } from 'ink'
import { visible } from '../../../terminal/visible.ts'
import { shownPath } from '../../places.ts'
import { currentEntry } from '../cursor.ts'
import { lengthOf } from '../listing.ts'
import { locationOf } from '../location.ts'
import type { State } from '../state.ts'
import { shorten, shortenStart, widthOf } from '../text.ts'
import { columnsOf } from './columns.ts'
import { fitTabs } from './tabs.ts'
import { colorOf } from './theme.ts'

const headings = {
  favorites: 'Favorites, files and folders alike',
  pending: 'Files that wait for approval',
  recent: 'Files that changed last',
  teams: 'Team folders, each with its own storage',
  places: 'All places',
  given: 'Shared by me',
} as const

/** Returns the title of the list. */
function placeTitle({ place }: State): string {
  const { source, listing } = place
  const count = `${listing.total}${listing.exact ? '' : '+'}`
  if (source.kind === 'folder') return visible(place.path)
  if (source.kind === 'tag') return `Tagged '${visible(source.name)}'${lengthOf(listing) > 0 ? ` · ${count}` : ''}`
  if (source.kind === 'received') return source.isHidden ? 'Shared with me · hidden' : 'Shared with me'
  if (source.kind === 'trash')
    return source.team === null ? 'Trash of My files' : `Trash of ${visible(source.team.name)}`
  if (source.kind === 'search') {
    const found = lengthOf(listing) > 0 ? ` · ${count} found` : ''
    const where = source.within === null ? '' : ` in ${shownPath({ place: source.within, path: '/' })}`
    return `'${visible(source.text)}'${visible(where)}${found}`
  }
  return headings[source.kind]
}

/** What is to be known of the folder on screen, or of the row under the cursor where the list spans folders. */
function placeNote(state: State): string {
  const { place, columns } = state
  const { source, folder } = place
  if (folder !== undefined) {
    if (!folder.may.see) return folder.may.add ? 'Drop box' : ''
    if (folder.held) return `${folder.held} ${folder.held === 1 ? 'waits' : 'wait'} for approval`
    return folder.root !== null && !folder.may.add ? 'View only' : ''
  }
  const entry = currentEntry(state)
  const isListOfPlaces = source.kind === 'teams' || source.kind === 'received' || source.kind === 'folder'
  if (entry === undefined || isListOfPlaces || columnsOf(place, columns).place > 0) return ''
  return `in ${locationOf(entry)}`
}

/** Columns that the title keeps when there is a note beside it. */
const leastTitle = 24

const TitleLine = ({ state, account }: { state: State; account: string }) => {
  const room = state.columns - 2
  const title = placeTitle(state)
  const wanted = placeNote(state) || (widthOf(title) + widthOf(account) + 2 <= room ? account : '')
  const note = shortenStart(wanted, Math.max(0, room - Math.min(widthOf(title), leastTitle) - 2))
  const titleRoom = note === '' ? room : room - widthOf(note) - 2
  const shown = state.place.source.kind === 'folder' ? shortenStart(title, titleRoom) : shorten(title, titleRoom)
  return (
    <Text bold wrap="truncate">
      {` ${shown}`}
      {note !== '' && (
        <Text dimColor bold={false}>{`${' '.repeat(room - widthOf(shown) - widthOf(note))}${note}`}</Text>
      )}
    </Text>
  )
}

export const Header = ({ state }: { state: State }) => {
  const { tabs, before, after, columns } = fitTabs(state, state.columns)
  const account = `${visible(state.user.username)} @ ${state.server.replace(/^https?:\/\//, '')}`
  const isAbove = columns + widthOf(account) + 2 <= state.columns
  return (
    <Box flexDirection="column">
      <Box justifyContent="space-between">
        <Box flexShrink={0}>
          {before && <Text dimColor>‹ </Text>}
          {tabs.map(({ view, text }) => (
            <Text key={view} inverse={view === state.tab} bold={view === state.tab} color={colorOf('accent')}>
              {text}
            </Text>
          ))}
          {after && <Text dimColor> ›</Text>}
        </Box>
        {isAbove && <Text dimColor>{`${account} `}</Text>}
      </Box>
      <TitleLine state={state} account={isAbove ? '' : account} />
    </Box>
  )
}
