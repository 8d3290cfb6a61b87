/** The folders inside the one that is open in the picker, and the field that makes another. */
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { loadMoreSubfolders, type Subfolders } from '../../lib/data/subfolders.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { NewFolderRow } from './new-folder-row.tsx'
import styles from './picker-list.module.css'
import { isFocusLost, PickerRows } from './picker-rows.tsx'

interface PickerListProps {
  /** Null is the root. */
  folderId: number | null
  query: UseQueryResult<Subfolders>
  /** Whether the folders are not to be drawn yet. */
  isHeld: boolean
  excludedIds: readonly number[]
  /** The folder to begin on with the keyboard; null begins at the top. */
  startAt: number | null
  onEnter: (folder: { id: number; name: string }) => void
}

/** Milliseconds before waiting is worth a word. */
const wordDelay = 150

export function PickerList({ folderId, query, isHeld, excludedIds, startAt, onEnter }: PickerListProps) {
  const { data, error, isFetching, refetch } = query
  const isWaiting = useDelayed(data === undefined && isFetching, wordDelay)
  const [moreError, setMoreError] = useState<unknown>(null)
  const folders = useMemo(() => data?.folders.filter(({ id }) => !excludedIds.includes(id)) ?? [], [data, excludedIds])
  const failure = data === undefined && !isFetching ? error : moreError
  const retry = () => {
    setMoreError(null)
    if (data === undefined) void refetch()
    else void loadMoreSubfolders(folderId).catch(setMoreError)
  }
  const mayLoadMore = moreError === null && data !== undefined && data.cursor !== null
  const loadMore = useCallback(() => {
    if (mayLoadMore) void loadMoreSubfolders(folderId).catch(setMoreError)
  }, [mayLoadMore, folderId])
  // Where all that has come is left out, what is behind it is to be seen.
  const isLacking = mayLoadMore && folders.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (isLacking) loadMore()
  }, [isLacking, loadMore, data?.cursor])
  return (
    <div className={styles.box}>
      <NewFolderRow parentId={folderId} onCreated={onEnter} />
      {isHeld || data === undefined || folders.length === 0 ? (
        <Words isHidden={data === undefined && failure !== null}>
          {(isWaiting || isLacking) && <p role="status">Loading folders...</p>}
          {data !== undefined && folders.length === 0 && !isLacking && <p>No folders in this location</p>}
        </Words>
      ) : (
        <PickerRows folders={folders} startAt={startAt} onEnter={onEnter} onNearEnd={loadMore} />
      )}
      {failure !== null && (
        <div className={styles.failure} role="alert" data-alone={data === undefined || undefined}>
          <p>
            <span className={styles.failed}>Failed to load folders</span> {reasonOf(failure)}
          </p>
          <Button variant="default" size="xs" onClick={retry}>
            Retry
          </Button>
        </div>
      )}
    </div>
  )
}

/** What stands in the place of folders; it takes the focus, so that the keyboard is not lost where nothing else could. */
function Words({ isHidden, children }: { isHidden: boolean; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isFocusLost()) ref.current?.focus()
  }, [])
  return (
    <div ref={ref} className={styles.words} data-hidden={isHidden || undefined} tabIndex={-1} data-autofocus>
      {children}
    </div>
  )
}
