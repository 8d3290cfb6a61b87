/** The top lines: the views, the account, and the current place. */
import { Box, Text } from 'ink'
import { visible } from '../../../terminal/visible.ts'
import { isReviewer } from '../keys.ts'
import { lengthOf } from '../listing.ts'
import type { State, View } from '../state.ts'
import { shortenStart } from '../text.ts'
import { colorOf } from './theme.ts'

const titles: Readonly<Record<View, string>> = {
  files: '1 Files',
  favorites: '2 Favorites',
  trash: '3 Trash',
  pending: '4 Validation',
  recent: '5 Recent',
}

const viewsOf = (state: State): View[] =>
  isReviewer(state) ? ['files', 'favorites', 'trash', 'pending', 'recent'] : ['files', 'favorites', 'trash', 'recent']

const headings = {
  favorites: 'Favorites, files and folders alike',
  trash: 'What was deleted',
  pending: 'Files that wait for approval',
  recent: 'Files that changed last',
} as const

/** Returns the title of the list. */
function placeTitle({ place }: State): string {
  const { source, listing } = place
  const count = `${listing.total}${listing.exact ? '' : '+'}`
  if (source.kind === 'folder') return visible(place.path)
  if (source.kind === 'tag') return `Tagged '${visible(source.name)}'${lengthOf(listing) > 0 ? ` · ${count}` : ''}`
  if (source.kind === 'search')
    return lengthOf(listing) > 0 ? `'${visible(source.text)}' · ${count} found` : `'${visible(source.text)}'`
  return headings[source.kind]
}

export const Header = ({ state }: { state: State }) => {
  const who = `${visible(state.user.username)} @ ${state.server.replace(/^https?:\/\//, '')}`
  const room = state.columns - 2
  return (
    <Box flexDirection="column">
      <Box justifyContent="space-between">
        <Box flexShrink={0}>
          {viewsOf(state).map(view => (
            <Text key={view} inverse={view === state.tab} bold={view === state.tab} color={colorOf('accent')}>
              {` ${titles[view]} `}
            </Text>
          ))}
        </Box>
        <Text dimColor wrap="truncate">{`${who} `}</Text>
      </Box>
      <Text bold wrap="truncate">{` ${shortenStart(placeTitle(state), room)}`}</Text>
    </Box>
  )
}
