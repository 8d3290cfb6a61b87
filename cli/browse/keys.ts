/** The table of all keys of the lists: what each does, and its help. */
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
import { askCopy, askMove } from './picking.ts'
import { confirm } from './prompting.ts'
import { askStop } from './running.ts'
import { openSearch } from './searching.ts'
import { selectAll, selectNone, toggleSelected } from './selecting.ts'
import { type State, type View, viewOf } from './state.ts'
import { openTags } from './tagging.ts'
import { askDownload, askUpload } from './transfers.ts'

interface KeyEntry {
  /** Names of the keys as in keyboard.ts. */
  keys: readonly string[]
  /** The keys as people know them. */
  label: string
  does: string
  /** One or two words for the footer; absent if there is no room for it. */
  hint?: string
  /** The views in which it works; everywhere if absent. */
  views?: readonly View[]
  /** Whether this user has the key at all. */
  offered?: (state: State) => boolean
  act: (app: App) => unknown
}

interface KeyGroup {
  title: string
  entries: readonly KeyEntry[]
}

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

export const isReviewer = ({ user }: State): boolean => user.permissions.includes('validation:review')

const live: readonly View[] = ['files', 'favorites', 'recent']
const withContent: readonly View[] = [...live, 'pending']

export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'Move',
    entries: [
      { keys: ['up', 'k'], label: '↑ k', does: 'up', act: app => moveBy(app, -1) },
      { keys: ['down', 'j'], label: '↓ j', does: 'down', act: app => moveBy(app, 1) },
      { keys: ['pageup', 'ctrl-b'], label: 'PgUp', does: 'a page up', act: app => moveBy(app, -pageOf(app)) },
      { keys: ['pagedown', 'ctrl-f'], label: 'PgDn', does: 'a page down', act: app => moveBy(app, pageOf(app)) },
      { keys: ['g', 'home'], label: 'g Home', does: 'to the first', act: moveToStart },
      { keys: ['G', 'end'], label: 'G End', does: 'to the last', act: moveToEnd },
      { keys: ['return', 'right', 'l'], label: 'Enter → l', does: 'open, or preview', hint: 'open', act: openEntry },
      { keys: ['backspace', 'left', 'h'], label: '⌫ ← h', does: 'back, or the folder above', act: goBack },
    ],
  },
  {
    title: 'Show',
    entries: [
      { keys: ['/'], label: '/', does: 'search', hint: 'search', act: openSearch },
      { keys: ['s'], label: 's', does: 'sort by the next column', act: cycleSort, views: ['files'] },
      { keys: ['S'], label: 'S', does: 'reverse the order', act: reverseSort, views: ['files'] },
      { keys: ['R', 'ctrl-r'], label: 'R', does: 'read again, try again', act: tryAgain },
      { keys: ['X'], label: 'X', does: 'stop what is on its way', act: askStop },
      { keys: ['1'], label: '1', does: 'files', act: app => showView(app, 'files') },
      { keys: ['2'], label: '2', does: 'favorites', act: app => showView(app, 'favorites') },
      { keys: ['3'], label: '3', does: 'trash', act: app => showView(app, 'trash') },
      { keys: ['4'], label: '4', does: 'validation', offered: isReviewer, act: app => showView(app, 'pending') },
      { keys: ['5'], label: '5', does: 'recent files', act: app => showView(app, 'recent') },
      { keys: ['F'], label: 'F', does: 'show in folder', views: live, act: showInFolder },
      {
        keys: ['?'],
        label: '?',
        does: 'this help',
        hint: 'help',
        act: app => app.store.set({ mode: { kind: 'help', top: 0 } }),
      },
      { keys: ['q'], label: 'q', does: 'quit', hint: 'quit', act: leave },
    ],
  },
  {
    title: 'Choose',
    entries: [
      { keys: ['space'], label: 'Space', does: 'select, and on', hint: 'select', act: toggleSelected },
      { keys: ['*'], label: '*', does: 'select all that is loaded', act: selectAll },
      { keys: ['escape'], label: 'Esc', does: 'select none', act: selectNone },
    ],
  },
  {
    title: 'Act on the selection, or the row',
    entries: [
      { keys: ['u'], label: 'u', does: 'upload', hint: 'upload', views: ['files'], act: askUpload },
      { keys: ['D'], label: 'D', does: 'download', hint: 'download', views: withContent, act: askDownload },
      { keys: ['n'], label: 'n', does: 'new folder', hint: 'new folder', views: ['files'], act: askFolderName },
      { keys: ['r'], label: 'r', does: 'rename', hint: 'rename', views: live, act: askNewName },
      { keys: ['m'], label: 'm', does: 'move', hint: 'move', views: live, act: askMove },
      { keys: ['c'], label: 'c', does: 'copy', hint: 'copy', views: live, act: askCopy },
      { keys: ['f'], label: 'f', does: 'favorite', hint: 'favorite', views: live, act: toggleFavorite },
      { keys: ['t'], label: 't', does: 'tags', hint: 'tags', views: live, act: openTags },
      { keys: ['y'], label: 'y', does: 'copy the address', views: live, act: copyAddress },
      { keys: ['d', 'delete'], label: 'd', does: 'delete', hint: 'delete', views: live, act: askDelete },
      { keys: ['r'], label: 'r', does: 'restore, in the trash', hint: 'restore', views: ['trash'], act: restoreChosen },
      {
        keys: ['d', 'delete'],
        label: 'd',
        does: 'delete for good, in the trash',
        hint: 'delete for good',
        views: ['trash'],
        act: askDelete,
      },
      {
        keys: ['e'],
        label: 'e',
        does: 'empty the trash',
        hint: 'empty the trash',
        views: ['trash'],
        act: askEmptyTrash,
      },
      {
        keys: ['a'],
        label: 'a',
        does: 'approve',
        hint: 'approve',
        views: ['pending'],
        offered: isReviewer,
        act: approveChosen,
      },
      {
        keys: ['x'],
        label: 'x',
        does: 'reject, with a reason',
        hint: 'reject',
        views: ['pending'],
        offered: isReviewer,
        act: askRejection,
      },
    ],
  },
]

const allEntries = keyGroups.flatMap(group => group.entries)

/** Returns the keys that work in the list now. */
export function keysFor(state: State): readonly KeyEntry[] {
  const view = viewOf(state.place)
  return allEntries.filter(({ views, offered }) => (views?.includes(view) ?? true) && (offered?.(state) ?? true))
}

/** Runs the action of a key in the list. Ignores an unknown key. */
export function takeListKey(app: App, key: string): void {
  keysFor(app.store.get())
    .find(entry => entry.keys.includes(key))
    ?.act(app)
}
