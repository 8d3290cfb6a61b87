/** The whole screen. */
import { Box, Text } from 'ink'
import { useSyncExternalStore } from 'react'
import { bodyRows, isTooSmall, minColumns, minRows, previewColumns } from '../layout.ts'
import type { Mode, Sharing } from '../modes.ts'
import type { State } from '../state.ts'
import type { Store } from '../store.ts'
import { EntryList } from './entry-list.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { HelpPane, PickerPane, PreviewPane, TagPane } from './panes.tsx'
import { ChoicePane, SharePane } from './share-panes.tsx'

/** The dialog that is open, also while the footer asks a question about it. */
function shownDialog(mode: Mode): Sharing | undefined {
  if (mode.kind === 'share') return mode
  return mode.kind === 'prompt' || mode.kind === 'confirm' ? mode.dialog : undefined
}

const Body = ({ state, rows }: { state: State; rows: number }) => {
  const { mode, columns } = state
  if (mode.kind === 'help') return <HelpPane state={state} top={mode.top} rows={rows} />
  if (mode.kind === 'picker') return <PickerPane state={state} picker={mode} />
  if (mode.kind === 'tags') return <TagPane state={state} chooser={mode} />
  const dialog = shownDialog(mode)
  if (dialog !== undefined) return <SharePane state={state} dialog={dialog} />
  if (mode.kind === 'choice') return <ChoicePane state={state} choice={mode} />
  if (mode.kind !== 'preview') return <EntryList state={state} width={columns} rows={rows} />
  const width = previewColumns(state)
  return (
    <Box>
      {width < columns && <EntryList state={state} width={columns - width} rows={rows} />}
      <PreviewPane state={state} preview={mode} columns={width} />
    </Box>
  )
}

const TooSmall = ({ state }: { state: State }) => (
  <Text wrap="wrap">{`This terminal is too small: ${state.columns}×${state.rows}, and ${minColumns}×${minRows} are needed`}</Text>
)

export const Browser = ({ store }: { store: Store }) => {
  const state = useSyncExternalStore(store.subscribe, store.get)
  if (isTooSmall(state)) return <TooSmall state={state} />
  const rows = bodyRows(state)
  return (
    <Box flexDirection="column" width={state.columns} height={state.rows}>
      <Header state={state} />
      <Box height={rows} flexShrink={0} overflow="hidden">
        <Body state={state} rows={rows} />
      </Box>
      <Footer state={state} />
    </Box>
  )
}
