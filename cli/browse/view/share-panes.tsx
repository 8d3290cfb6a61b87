/** The Share dialog, and the choice of a level. */
import { Box, Text } from 'ink'
import { levelNames, reasonWords } from '../../../src/api/share-words.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { formatDay } from '../../../terminal/format.ts'
import { visible } from '../../../terminal/visible.ts'
import { granteeName } from '../../grantee.ts'
import { dialogRows } from '../layout.ts'
import type { Choice, Sharing } from '../modes.ts'
import { isSelf, isSharingOff, titleOf } from '../share-dialog.ts'
import type { State } from '../state.ts'
import { padTo, quoteName } from '../text.ts'
import { Title } from './panes.tsx'

/** The full name beside a username, why somebody has access, until when, and why it is without effect. */
function factsOf(entry: AccessEntry, { item }: Sharing): string {
  const { who, because, expires_at } = entry
  const end = expires_at === null ? '' : formatDay(expires_at)
  const reason = reasonWords(entry, end)
  const facts = [
    who.kind === 'group' ? 'Group' : visible(who.full_name ?? ''),
    because.id === item.id || who.kind === 'owner' ? '' : `because of the folder ${quoteName(because)}`,
    reason ?? (end === '' ? '' : `until ${end}`),
  ]
  return facts.filter(fact => fact !== '').join(' · ')
}

const levelColumns = 13

const AccessLine = ({ entry, dialog, state, isCurrent }: LineProps) => {
  const columns = state.columns - 2
  const nameColumns = Math.max(16, Math.floor(columns / 3))
  const name = `${visible(granteeName(entry.who))}${isSelf(entry, state.user) ? ' (you)' : ''}`
  const level = entry.who.kind === 'owner' ? 'Owner' : levelNames[entry.level]
  return (
    <Text inverse={isCurrent} dimColor={!entry.works && !isCurrent} wrap="truncate">
      {` ${isCurrent ? '›' : ' '} ${padTo(name, nameColumns)}  ${padTo(level, levelColumns)}`}
      {padTo(factsOf(entry, dialog), columns - nameColumns - levelColumns - 5)}
    </Text>
  )
}

interface LineProps {
  entry: AccessEntry
  dialog: Sharing
  state: State
  isCurrent: boolean
}

export const SharePane = ({ state, dialog }: { state: State; dialog: Sharing }) => {
  const { access, cursor, item } = dialog
  const rows = dialogRows(state)
  const top = Math.max(0, cursor - rows + 1)
  return (
    <Box flexDirection="column" paddingX={1}>
      <Title text={titleOf(item)} columns={state.columns - 2} />
      <Text dimColor wrap="truncate">
        {isSharingOff(item, state.user) ? ' Sharing with people is turned off on this server.' : ' Who has access'}
      </Text>
      {access === undefined && <Text dimColor> Reading…</Text>}
      {access?.slice(top, top + rows).map((entry, offset) => (
        <AccessLine
          key={entry.share_id ?? 'owner'}
          entry={entry}
          dialog={dialog}
          state={state}
          isCurrent={top + offset === cursor}
        />
      ))}
    </Box>
  )
}

const optionColumns = 14

export const ChoicePane = ({ state, choice }: { state: State; choice: Choice }) => {
  const columns = state.columns - 2
  return (
    <Box flexDirection="column" paddingX={1}>
      <Title text={choice.title} columns={columns} />
      <Text> </Text>
      {choice.options.map(({ name }, index) => (
        <Text key={name} inverse={index === choice.cursor} wrap="truncate">
          {` ${index === choice.cursor ? '›' : ' '} `}
          {padTo(name, optionColumns)}
        </Text>
      ))}
      <Box marginTop={1} paddingX={1}>
        <Text dimColor wrap="wrap">
          {choice.options[choice.cursor]?.about}
        </Text>
      </Box>
      {choice.busy && <Text dimColor> Working…</Text>}
    </Box>
  )
}
