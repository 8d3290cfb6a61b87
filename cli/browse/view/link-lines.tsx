/** Links in the Share dialog: a line for each, and the address of the current one below. */
import { Box, Text } from 'ink'
import { explainLinkLevel, explainState, linkStates, linkUse } from '../../../src/api/link-words.ts'
import type { Link } from '../../../src/api/links.ts'
import { countOf, formatDay } from '../../../terminal/format.ts'
import { visible } from '../../../terminal/visible.ts'
import type { Sharing } from '../modes.ts'
import type { State } from '../state.ts'
import { breakLine } from '../text.ts'

const endOf = ({ expires_at }: Link): string => (expires_at === null ? '' : formatDay(expires_at))

export const linkName = ({ label }: Link): string => (label === null ? 'Link' : `Link '${visible(label)}'`)

/** Why a link does not work, else until when it does; then whether it has a password. */
export function factsOfLink(link: Link): string {
  const end = link.expires_at === null ? '' : `until ${endOf(link)}`
  const facts = [link.reason === null ? end : linkStates[link.reason], link.has_password ? 'password' : '']
  return facts.filter(fact => fact !== '').join(' · ')
}

/** What the link was used for, or how often it may be. */
function useOf(link: Link): string {
  const limit = link.max_downloads === null ? '' : `, at most ${countOf(link.max_downloads, 'download')}`
  const use = linkUse(link) ?? `not used yet${limit}`
  return `${use.slice(0, 1).toUpperCase()}${use.slice(1)}`
}

/** Lines below the list: one blank, two each for the address and the sentence, one for the use. */
export const linkDetailRows = 6

/** The address of the current link, whole, what it allows or why it does not work, and its use. */
export const LinkDetail = ({ link, dialog, state }: { link: Link; dialog: Sharing; state: State }) => {
  const columns = state.columns - 4
  const why = explainState(link, { end: endOf(link), sharing: state.user.sharing, userId: state.user.id })
  const address = breakLine(visible(link.url ?? 'Its address cannot be read any more'), columns)
  return (
    <Box flexDirection="column" marginTop={1} paddingLeft={1}>
      {address.slice(0, 2).map(line => (
        <Text key={line}>{line}</Text>
      ))}
      <Text dimColor wrap="wrap">
        {why?.[0] ?? explainLinkLevel(link.level, dialog.item)}
      </Text>
      <Text dimColor wrap="truncate">
        {useOf(link)}
      </Text>
    </Box>
  )
}
