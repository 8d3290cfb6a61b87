/** A list of shares on paper. */
import { levelNames } from '../../../src/api/share-words.ts'
import { timeColumn } from '../../items/print/item-columns.tsx'
import { PrintedName } from '../../items/print/printed-name.tsx'
import { PrintedList } from '../../ui/print/printed-list.tsx'
import type { ShareRow } from './share-row.ts'

const columnsOf = (whoHead: string) => [
  { head: 'Name', cell: ({ item }: ShareRow) => <PrintedName item={item} /> },
  { head: whoHead, cell: ({ who }: ShareRow) => (who.to === null ? who.name : `${who.name} to ${who.to}`) },
  { head: 'Access', isShort: true, cell: ({ level }: ShareRow) => levelNames[level] },
  timeColumn<ShareRow>('Since', row => row.created_at),
  timeColumn<ShareRow>('Until', row => row.expires_at),
]

interface PrintedSharesProps {
  label: string
  whoHead: string
  rows: readonly ShareRow[]
  hasMore: boolean
  loadMore: () => void
  isStuck: boolean
}

export const PrintedShares = ({ label, whoHead, rows, hasMore, ...more }: PrintedSharesProps) => (
  <PrintedList
    title={label}
    rows={rows}
    total={rows.length + (hasMore ? 1 : 0)}
    keyOf={({ id }) => id}
    columns={columnsOf(whoHead)}
    {...more}
  />
)
