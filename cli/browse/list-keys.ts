/** The keys that move through lists, choose in them and show others. */
import { abilitiesIn } from '../../src/api/rights.ts'
import { type App, say } from './app.ts'
import { hasRows, type KeyGroup } from './key-entry.ts'
import { listRows } from './layout.ts'
import { allowRetry, refresh } from './loading.ts'
import {
  cycleSort,
  goBack,
  moveBy,
  moveToEnd,
  moveToStart,
  openEntry,
  reverseSort,
  showInFolder,
  showView,
} from './navigation.ts'
import { showNextPart, showTeamTrash, teamHere, toggleHidden } from './parts.ts'
import { views } from './place.ts'
import { confirm } from './prompting.ts'
import { askStop } from './running.ts'
import { openSearch } from './searching.ts'
import { selectAll, selectNone, toggleSelected } from './selecting.ts'
import type { State } from './state.ts'
import { offeredViews, viewTitles } from './views.ts'

const pageOf = (app: App): number => Math.max(1, listRows(app.store.get()) - 1)

function tryAgain(app: App): void {
  allowRetry(app)
  void refresh(app)
  say(app, 'Read again')
}

function leave(app: App) {
  // Transfers that are being prepared, as by reading a local folder, do not show on the screen yet, but count here.
  if (app.running.size === 0) return app.quit()
  confirm(app, 'A transfer is under way. Stop it and quit?', async () => app.quit())
}

export const moving: KeyGroup = {
  title: 'Move',
  entries: [
    { keys: ['up', 'k'], label: '↑ k', does: 'up', act: app => moveBy(app, -1) },
    { keys: ['down', 'j'], label: '↓ j', does: 'down', act: app => moveBy(app, 1) },
    { keys: ['pageup', 'ctrl-b'], label: 'PgUp', does: 'a page up', act: app => moveBy(app, -pageOf(app)) },
    { keys: ['pagedown', 'ctrl-f'], label: 'PgDn', does: 'a page down', act: app => moveBy(app, pageOf(app)) },
    { keys: ['g', 'home'], label: 'g Home', does: 'to the first', act: moveToStart },
    { keys: ['G', 'end'], label: 'G End', does: 'to the last', act: moveToEnd },
    {
      keys: ['return', 'right', 'l'],
      label: 'Enter → l',
      does: 'open, or preview',
      hint: 'open',
      offered: hasRows,
      act: openEntry,
    },
    { keys: ['backspace', 'left', 'h'], label: '⌫ ← h', does: 'back, or the folder above', act: goBack },
  ],
}

export const showing: KeyGroup = {
  title: 'Show',
  entries: [
    ...views.map((view, index) => ({
      keys: [String(index + 1)],
      label: String(index + 1),
      does: viewTitles[view],
      isFor: (state: State) => offeredViews(state).includes(view),
      act: (app: App) => showView(app, view),
    })),
    {
      keys: ['tab'],
      label: 'Tab',
      does: 'shared by me',
      hint: 'by me',
      views: ['shared'],
      lists: ['received'],
      isFor: ({ user }) => user.permissions.includes('files:share'),
      act: showNextPart,
    },
    {
      keys: ['tab'],
      label: 'Tab',
      does: 'shared with me',
      hint: 'with me',
      views: ['shared'],
      lists: ['given'],
      act: showNextPart,
    },
    {
      keys: ['tab'],
      label: 'Tab',
      does: 'the next trash',
      hint: 'next trash',
      views: ['trash'],
      isFor: ({ teams }) => teams.some(team => abilitiesIn(team).change),
      act: showNextPart,
    },
    {
      keys: ['.'],
      label: '.',
      does: 'show hidden, or not',
      hint: 'hidden',
      views: ['shared'],
      lists: ['received'],
      act: toggleHidden,
    },
    {
      keys: ['T'],
      label: 'T',
      does: "the team folder's trash",
      hint: 'trash',
      views: ['files', 'teams'],
      offered: state => abilitiesIn(teamHere(state) ?? { level: null }).change,
      act: showTeamTrash,
    },
    {
      keys: ['F'],
      label: 'F',
      does: 'show in folder',
      views: ['files', 'shared', 'favorites', 'recent'],
      act: showInFolder,
    },
    { keys: ['/'], label: '/', does: 'search', hint: 'search', act: openSearch },
    { keys: ['s'], label: 's', does: 'sort by the next column', act: cycleSort, lists: ['folder'] },
    { keys: ['S'], label: 'S', does: 'reverse the order', act: reverseSort, lists: ['folder'] },
    { keys: ['R', 'ctrl-r'], label: 'R', does: 'read again, try again', act: tryAgain },
    { keys: ['X'], label: 'X', does: 'stop what is on its way', act: askStop },
    {
      keys: ['?'],
      label: '?',
      does: 'this help',
      hint: 'help',
      act: app => app.store.set({ mode: { kind: 'help', top: 0 } }),
    },
    { keys: ['q'], label: 'q', does: 'quit', hint: 'quit', act: leave },
  ],
}

export const choosing: KeyGroup = {
  title: 'Choose',
  entries: [
    { keys: ['space'], label: 'Space', does: 'select, and on', hint: 'select', offered: hasRows, act: toggleSelected },
    { keys: ['*'], label: '*', does: 'select all that is loaded', offered: hasRows, act: selectAll },
    { keys: ['escape'], label: 'Esc', does: 'select none', act: selectNone },
  ],
}
