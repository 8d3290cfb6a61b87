/** The files that changed last, by day. */
import { useInfiniteQuery } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import { ListScreen } from '../../items/list/list-screen.tsx'
import { recentQuery } from '../../lib/data/recent.ts'
import { formatPeriod } from '../../lib/words/format-date.ts'
import { ClockDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

const periodOf = ({ updated_at }: FileItem): string => formatPeriod(updated_at)

export function RecentScreen() {
  return (
    <ListScreen
      title="Recent"
      query={useInfiniteQuery(recentQuery)}
      failure="Failed to load recent files"
      groupOf={periodOf}
      empty={
        <EmptyState
          drawing={<ClockDrawing />}
          title="No files yet"
          sentence="Files that you or others in your team folders add or change appear here"
        />
      }
    />
  )
}
