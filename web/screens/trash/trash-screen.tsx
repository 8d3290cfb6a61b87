/** The Trash: deleted items with the time they have left, restoring, and permanent deletion. */
import { Button } from '@mantine/core'
import { IconClock, IconTrash } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import type { FileItem } from '../../../src/api/items.ts'
import type { Space } from '../../../src/api/spaces.ts'
import { itemCount } from '../../items/counts.ts'
import { PhoneSelectionBottom, PhoneSelectionTop } from '../../items/list/selection/phone-selection.tsx'
import { useSelection } from '../../items/list/selection/use-selection.ts'
import { usePages } from '../../items/list/use-pages.ts'
import { useRowFocus } from '../../items/list/use-row-focus.ts'
import { totalOf } from '../../lib/data/paging.ts'
import { statsQuery, trashBytes } from '../../lib/data/stats.ts'
import { profileQuery } from '../../lib/data/storage.ts'
import { trashQuery, useEmptying } from '../../lib/data/trash.ts'
import { readTrash } from '../../lib/data/trash-search.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { pageConfig } from '../../lib/server/config.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { TrashDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { PrintedTrash } from './printed-trash.tsx'
import { TrashChoice, useTrashTeams } from './trash-choice.tsx'
import { TrashFoot } from './trash-foot.tsx'
import { TrashList } from './trash-list.tsx'
import styles from './trash-screen.module.css'
import { TrashSkeleton } from './trash-skeleton.tsx'
import { useTrashActions } from './use-trash-actions.tsx'

const ownSentence = 'What you delete can be restored from here'
const noItems: readonly FileItem[] = []

/** The total size of all items in the own trash, in bytes; null while unknown, and for that of a team folder. */
function useTrashBytes(isOwn: boolean): number | null {
  const user = useAuth(state => state.user)
  const { data: stats } = useQuery(statsQuery)
  useQuery(profileQuery)
  return isOwn && user && stats ? trashBytes(user, stats) : null
}

export function TrashScreen() {
  const { folder: folderId = null } = readTrash(useSearch({ strict: false }))
  const teams = useTrashTeams()
  const team = teams.find(({ folder_id }) => folder_id === folderId) ?? null
  const query = useInfiniteQuery(trashQuery(folderId))
  const { isWaiting, problem, dismiss, reload, loadMore, isStuck } = usePages(query, 'Failed to load trash')
  const items = query.data?.pages.flatMap(page => page.files) ?? noItems
  const total = totalOf(items.length, query.data?.pages.at(-1))
  const listing = { items, total, folders: 0, loadMore, isStuck }
  const bytes = useTrashBytes(folderId === null)
  const selection = useSelection(listing)
  const focus = useRowFocus(items, null)
  const actions = useTrashActions({ team, items, total, bytes, onLeave: focus.leave, onGone: selection.forget })
  const isPhone = usePhone()
  const isSelecting = selection.ids.size > 0 || selection.awaited !== null
  const shown = actions.problem ?? problem
  const hasChoice = teams.length > 0 || folderId !== null
  const choice = hasChoice && <TrashChoice teams={teams} folderId={folderId} />

  return (
    <Sheet title="Trash">
      {isPhone && isSelecting ? (
        <PhoneSelectionTop over="title" selection={selection} listing={listing} />
      ) : (
        <div className={styles.head}>
          <ScreenTitle
            count={query.data && total}
            action={
              <div className={styles.actions}>
                {!isPhone && choice}
                {total > 0 && actions.mayRemove && <EmptyButton {...actions} />}
              </div>
            }
          >
            Trash
          </ScreenTitle>
        </div>
      )}
      {isPhone && choice && <div className={styles.under}>{choice}</div>}
      <Notice team={team} bytes={bytes} total={total} />
      {shown && (
        <ErrorStrip
          {...shown}
          onRetry={shown === problem ? reload : undefined}
          onDismiss={shown === problem ? dismiss : actions.dismissProblem}
        />
      )}
      {isWaiting && <TrashSkeleton />}
      {query.data && total === 0 && (
        <EmptyState
          drawing={<TrashDrawing />}
          title="Trash is empty"
          sentence={team ? `What is deleted in ${team.name} can be restored from here` : ownSentence}
        />
      )}
      <PrintedTrash listing={listing} />
      {total > 0 && <TrashList listing={listing} selection={selection} focus={focus} actions={actions} />}
      {isPhone && isSelecting && actions.acts.length > 0 ? (
        <PhoneSelectionBottom selection={selection} acts={actions.acts} />
      ) : (
        query.data && <TrashFoot items={items} total={total} />
      )}
      {actions.dialogs}
    </Sheet>
  )
}

function EmptyButton({ isEmptying, askToEmpty }: { isEmptying: boolean; askToEmpty: () => void }) {
  return (
    <Button
      variant="default"
      data-tone="danger"
      size={usePhone() ? 'lg' : 'sm'}
      leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
      disabled={isEmptying}
      onClick={askToEmpty}
    >
      {isEmptying ? 'Emptying...' : 'Empty Trash'}
    </Button>
  )
}

interface NoticeProps {
  team: Space | null
  bytes: number | null
  total: number
}

function Notice({ team, bytes, total }: NoticeProps) {
  const { olderThan } = useEmptying()
  const what = olderThan === 0 ? itemCount(total) : 'Old items'
  return (
    <p className={styles.notice} role="status">
      <IconClock size={16} stroke={1.75} aria-hidden />
      {olderThan !== null ? (
        <span>
          {what} {olderThan === 0 && total === 1 ? 'is' : 'are'} being deleted. With many this takes a while; you can go
          on working.
        </span>
      ) : (
        <span>
          Items in trash will be permanently deleted after {pageConfig.trash_retention_days} days.
          {team && <span className={styles.aside}>Until then they count for the team folder.</span>}
          {bytes !== null && bytes > 0 && (
            <span className={styles.aside}>They use {formatSize(bytes)} of your storage until then.</span>
          )}
        </span>
      )}
    </p>
  )
}
