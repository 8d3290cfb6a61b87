/** Links in the Share dialog: a line for each, and the address of the current one below. */
import { Box, Text } from 'ink'
import { explainLinkLevel, explainState, linkStates, linkUse } from '../../../src/api/link-words.ts'
import type { Link } from '../../../src/api/links.ts'
import { formatDay } from '../../../terminal/format.ts'
import { visible } from '../../../terminal/visible.ts'
import type { Sharing } from '../modes.ts'
import type { State } from '../state.ts'
import { breakLine } from '../text.ts'

const endOf = ({ expires_at }: Link): string => (expires_at === null ? '' : formatDay(expires_at))

export const linkName = ({ label }: Link): string => (label === null ? 'Link' : `Link '${visible(label)}'`)

/** Why a link does not work, else until when it does; then whether it has a password, and its use. */
export function factsOfLink(link: Link): string {
  const end = link.expires_at === null ? '' : `until ${endOf(link)}`
  const facts = [
    link.reason === null ? end : linkStates[link.reason],
    link.has_password ? 'password' : '',
    linkUse(link) ?? '',
  ]
  return facts.filter(fact => fact !== '').join(' · ')
}

/** Lines below the list: one blank, two for the address, one for the sentence. */
export const linkDetailRows = 4

/** The address of the current link, whole, and what it allows or why it does not work. */
export const LinkDetail = ({ link, dialog, state }: { link: Link; dialog: Sharing; state: State }) => {
  const columns = state.columns - 4
  const why = explainState(link, { end: endOf(link), sharing: state.user.sharing, userId: state.user.id })
  const address = breakLine(visible(link.url ?? 'Its address cannot be read any more'), columns)
  return (
    <Box flexDirection="column" marginTop={1}>
      {address.slice(0, 2).map(line => (
        <Text key={line}>{` ${line}`}</Text>
      ))}
      <Text dimColor wrap="truncate">
        {` ${why?.[0] ?? explainLinkLevel(link.level, dialog.item)}`}
      </Text>
    </Box>
  )
}
