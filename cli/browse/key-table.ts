/** The table of all keys of the lists: what each does, where it works, and its help. */
import { abilitiesIn } from '../../src/api/rights.ts'
import { copyAddress } from './address.ts'
import { type App, say } from './app.ts'
import {
  approveChosen,
  askDelete,
  askEmptyTrash,
  askFolderName,
  askNewName,
  askRejection,
  restoreChosen,
  toggleFavorite,
} from './changing.ts'
import { listRows } from './layout.ts'
import { lengthOf } from './listing.ts'
import { allowRetry, refresh } from './loading.ts'
import { askCopy, askMove } from './moving.ts'
import {
  cycleSort,
  goBack,
  moveBy,
  moveToEnd,
  moveToStart,
  openEntry,
  reverseSort,
  showInFolder,
  showNextPart,
  showTeamTrash,
  showView,
  teamHere,
  toggleHidden,
} from './navigation.ts'
import { type Source, type View, views } from './place.ts'
import { confirm } from './prompting.ts'
import type { Act } from './rights.ts'
import { askStop } from './running.ts'
import { openSearch } from './searching.ts'
import { selectAll, selectNone, toggleSelected } from './selecting.ts'
import { askLeave, askStopSharing, hideChosen } from './shares.ts'
import { openSharing } from './sharing.ts'
import type { State } from './state.ts'
import { openTags } from './tagging.ts'
import { askDownload, askUpload } from './transfers.ts'
import { offeredViews, viewTitles } from './views.ts'

export interface KeyEntry {
  /** Names of the keys as in keyboard.ts. */
  keys: readonly string[]
  /** The keys as people know them. */
  label: string
  does: string
  /** One or two words for the footer; absent if there is no room for it. */
  hint?: string
  /** The views in which it works; everywhere if absent. */
  views?: readonly View[]
  /** The lists of a view in which it works; all if absent. */
  lists?: readonly Source['kind'][]
  /** What the user must be allowed to do with what is chosen, or in the folder. */
  needs?: Act
  /** Whether this user has it at all; the help lists it then. */
  isFor?: (state: State) => boolean
  /** Whether it makes sense in the list on screen. */
  offered?: (state: State) => boolean
  act: (app: App) => unknown
}

interface KeyGroup {
  title: string
  entries: readonly KeyEntry[]
}

/** Whether there is a row to act on. */
const hasRows = ({ place }: State): boolean => lengthOf(place.listing) > 0

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

const moving: KeyGroup = {
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

const showing: KeyGroup = {
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

const choosing: KeyGroup = {
  title: 'Choose',
  entries: [
    { keys: ['space'], label: 'Space', does: 'select, and on', hint: 'select', offered: hasRows, act: toggleSelected },
    { keys: ['*'], label: '*', does: 'select all that is loaded', offered: hasRows, act: selectAll },
    { keys: ['escape'], label: 'Esc', does: 'select none', act: selectNone },
  ],
}

const live: readonly View[] = ['files', 'favorites', 'recent']
const withContent: readonly View[] = ['files', 'favorites', 'recent', 'shared', 'pending']
const withItems: readonly View[] = ['files', 'favorites', 'recent', 'shared']

const acting: KeyGroup = {
  title: 'Act on the selection, or the row',
  entries: [
    { keys: ['u'], label: 'u', does: 'upload', hint: 'upload', lists: ['folder'], needs: 'upload', act: askUpload },
    {
      keys: ['D'],
      label: 'D',
      does: 'download',
      hint: 'download',
      views: withContent,
      needs: 'download',
      act: askDownload,
    },
    {
      keys: ['n'],
      label: 'n',
      does: 'new folder',
      hint: 'new folder',
      lists: ['folder'],
      needs: 'makeFolder',
      act: askFolderName,
    },
    { keys: ['r'], label: 'r', does: 'rename', hint: 'rename', views: live, needs: 'rename', act: askNewName },
    { keys: ['m'], label: 'm', does: 'move', hint: 'move', views: live, needs: 'move', act: askMove },
    { keys: ['c'], label: 'c', does: 'copy', hint: 'copy', views: withItems, needs: 'copy', act: askCopy },
    {
      keys: ['f'],
      label: 'f',
      does: 'favorite',
      hint: 'favorite',
      views: withItems,
      needs: 'favorite',
      act: toggleFavorite,
    },
    { keys: ['t'], label: 't', does: 'tags', hint: 'tags', views: withItems, needs: 'tag', act: openTags },
    { keys: ['d', 'delete'], label: 'd', does: 'delete', hint: 'delete', views: live, needs: 'trash', act: askDelete },
    {
      keys: ['p'],
      label: 'p',
      does: 'share with people, members',
      hint: 'share',
      views: [...withItems, 'teams'],
      needs: 'share',
      act: openSharing,
    },
    { keys: ['y'], label: 'y', does: 'copy the address', views: [...withItems, 'teams'], act: copyAddress },
  ],
}

const sharing: KeyGroup = {
  title: 'In Shared',
  entries: [
    {
      keys: ['H'],
      label: 'H',
      does: 'hide, or show again',
      hint: 'hide',
      views: ['shared'],
      lists: ['received'],
      offered: hasRows,
      act: hideChosen,
    },
    {
      keys: ['x'],
      label: 'x',
      does: 'leave',
      hint: 'leave',
      views: ['shared'],
      lists: ['received'],
      offered: hasRows,
      act: askLeave,
    },
    {
      keys: ['x'],
      label: 'x',
      does: 'stop sharing',
      hint: 'stop sharing',
      views: ['shared'],
      lists: ['given'],
      needs: 'share',
      offered: hasRows,
      act: askStopSharing,
    },
  ],
}

const trash: KeyGroup = {
  title: 'In the trash',
  entries: [
    {
      keys: ['r'],
      label: 'r',
      does: 'restore',
      hint: 'restore',
      views: ['trash'],
      needs: 'restore',
      offered: hasRows,
      act: restoreChosen,
    },
    {
      keys: ['d', 'delete'],
      label: 'd',
      does: 'delete permanently',
      hint: 'delete permanently',
      views: ['trash'],
      offered: hasRows,
      needs: 'purge',
      act: askDelete,
    },
    {
      keys: ['e'],
      label: 'e',
      does: 'empty',
      hint: 'empty the trash',
      views: ['trash'],
      needs: 'purge',
      offered: hasRows,
      act: askEmptyTrash,
    },
  ],
}

const reviewing: KeyGroup = {
  title: 'In Validation',
  entries: [
    {
      keys: ['a'],
      label: 'a',
      does: 'approve',
      hint: 'approve',
      views: ['pending'],
      needs: 'review',
      offered: hasRows,
      act: approveChosen,
    },
    {
      keys: ['x'],
      label: 'x',
      does: 'reject, with a reason',
      hint: 'reject',
      views: ['pending'],
      needs: 'review',
      offered: hasRows,
      act: askRejection,
    },
  ],
}

/** The groups, in the order of the footer's hints. */
export const keyGroups: readonly KeyGroup[] = [moving, showing, sharing, trash, reviewing, choosing, acting]

/** The columns of the help. */
export const helpColumns: readonly (readonly KeyGroup[])[] = [
  [moving, choosing, acting],
  [showing, sharing, trash, reviewing],
]
