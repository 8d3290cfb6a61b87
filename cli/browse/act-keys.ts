import { copyAddress } from './address.ts'
import { askDelete, askEmptyTrash, askFolderName, askNewName, restoreChosen, toggleFavorite } from './changing.ts'
import { approveChosen, askRejection } from './deciding.ts'
import { hasRows, type KeyGroup } from './key-entry.ts'
import { askCopy, askMove } from './moving.ts'
import type { View } from './place.ts'
import { askLeave, askStopSharing, hideChosen } from './shares.ts'
import { openSharing } from './sharing.ts'
import { openTags } from './tagging.ts'
import { askDownload, askUpload } from './transfers.ts'

const live: readonly View[] = ['files', 'favorites', 'recent']
const withContent: readonly View[] = ['files', 'favorites', 'recent', 'shared', 'pending']
const withItems: readonly View[] = ['files', 'favorites', 'recent', 'shared']

export const acting: KeyGroup = {
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
      does: 'share: people, links, members',
      hint: 'share',
      views: [...withItems, 'teams'],
      needs: 'share',
      act: openSharing,
    },
    { keys: ['y'], label: 'y', does: 'copy the address', views: [...withItems, 'teams'], act: copyAddress },
  ],
}

export const sharing: KeyGroup = {
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

export const trash: KeyGroup = {
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

export const reviewing: KeyGroup = {
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
