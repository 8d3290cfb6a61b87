/** How lists of shares look: with or from whom, the level, since and until when. */
import { levelNames } from '../../../src/api/share-words.ts'
import { timeColumn } from '../../items/print/item-columns.tsx'
import { PrintedName } from '../../items/print/printed-name.tsx'
import type { Look } from './look.ts'
import { DesktopCells, PhoneCells } from './share-cells.tsx'
import type { ShareRow } from './share-row.ts'

/** `whoHead`: the head of the column that names who shares, or with whom. */
const shareLook = (whoHead: 'From' | 'With'): Look<ShareRow> => ({
  heads: ['Name', whoHead, 'Access', 'Since', 'Until'],
  nameOf: ({ item }) => item.name,
  Desktop: DesktopCells,
  Phone: PhoneCells,
  printed: [
    { head: 'Name', cell: ({ item }) => <PrintedName item={item} /> },
    { head: whoHead, cell: ({ who }) => (who.to === null ? who.name : `${who.name} to ${who.to}`) },
    { head: 'Access', isShort: true, cell: ({ level }) => levelNames[level] },
    timeColumn<ShareRow>('Since', row => row.created_at),
    timeColumn<ShareRow>('Until', row => row.expires_at),
  ],
})

export const receivedLook = shareLook('From')
export const givenLook = shareLook('With')
