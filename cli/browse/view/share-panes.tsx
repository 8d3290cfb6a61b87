/** The Share dialog, and the choice of a level. */
import { Box, Text } from 'ink'
import { levelNames, reasonWords } from '../../../src/api/share-words.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { formatDay } from '../../../terminal/format.ts'
import { visible } from '../../../terminal/visible.ts'
import { granteeName } from '../../grantee.ts'
import { dialogRows } from '../layout.ts'
import type { Choice, Sharing } from '../modes.ts'
import { currentLine, isSelf, isSharingOff, titleOf } from '../share-dialog.ts'
import type { State } from '../state.ts'
import { padTo, quoteName } from '../text.ts'
import { factsOfLink, LinkDetail, linkDetailRows, linkName } from './link-lines.tsx'
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

const levelColumns = 16

interface LineProps {
  name: string
  level: string
  facts: string
  works: boolean
  columns: number
  isCurrent: boolean
}

const Line = ({ name, level, facts, works, columns, isCurrent }: LineProps) => {
  const nameColumns = Math.max(16, Math.floor(columns / 3))
  return (
    <Text inverse={isCurrent} dimColor={!works && !isCurrent} wrap="truncate">
      {` ${isCurrent ? '›' : ' '} ${padTo(name, nameColumns)}  ${padTo(level, levelColumns)}`}
      {padTo(facts, columns - nameColumns - levelColumns - 5)}
    </Text>
  )
}

function nameOf({ who }: AccessEntry): string {
  if (who.kind === 'link') return who.name === '' ? 'Link' : `Link '${visible(who.name)}'`
  return visible(granteeName(who))
}

type LineWords = Pick<LineProps, 'name' | 'level' | 'facts' | 'works'> & { key: string }

/** The lines of the dialog: who has access, then the links. */
function linesOf(dialog: Sharing, { user }: State): LineWords[] {
  const { access = [], links } = dialog
  return [
    ...access.map(entry => ({
      key: `access ${entry.share_id} ${entry.link_id}`,
      name: `${nameOf(entry)}${isSelf(entry, user) ? ' (you)' : ''}`,
      level: entry.who.kind === 'owner' ? 'Owner' : levelNames[entry.level],
      facts: factsOf(entry, dialog),
      works: entry.works,
    })),
    ...links.map(link => ({
      key: `link ${link.id}`,
      name: linkName(link),
      level: levelNames[link.level],
      facts: factsOfLink(link),
      works: link.works,
    })),
  ]
}

export const SharePane = ({ state, dialog }: { state: State; dialog: Sharing }) => {
  const { access, cursor, item, links } = dialog
  const { link } = currentLine(dialog)
  // Room for the details is kept while there are links, so that lines stay in their places.
  const rows = Math.max(1, dialogRows(state) - (links.length > 0 ? linkDetailRows : 0))
  const top = Math.max(0, cursor - rows + 1)
  return (
    <Box flexDirection="column" paddingX={1}>
      <Title text={titleOf(item)} columns={state.columns - 2} />
      <Text dimColor wrap="truncate">
        {isSharingOff(item, state.user) ? ' Sharing with people is turned off on this server.' : ' Who has access'}
      </Text>
      {access === undefined && <Text dimColor> Reading…</Text>}
      {linesOf(dialog, state)
        .slice(top, top + rows)
        .map(({ key, ...words }, offset) => (
          <Line key={key} {...words} columns={state.columns - 2} isCurrent={top + offset === cursor} />
        ))}
      {link !== undefined && <LinkDetail link={link} dialog={dialog} state={state} />}
    </Box>
  )
}

const optionColumns = 16

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
