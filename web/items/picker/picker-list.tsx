/** The sub-folders of the folder open in the picker, and the field for a new one. */
import { Button } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { loadMoreSubfolders, type Subfolders } from '../../lib/data/subfolders.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { NewFolderRow } from './new-folder-row.tsx'
import styles from './picker-list.module.css'
import { isFocusLost, PickerRows } from './picker-rows.tsx'

interface PickerListProps {
  /** Null is the root. */
  folderId: number | null
  /** Whether the user may make a folder in it. */
  mayMake: boolean
  query: UseQueryResult<Subfolders>
  /** Whether rendering the folders must wait. */
  isHeld: boolean
  excludedIds: readonly number[]
  /** The folder that gets the keyboard focus; null focuses the first. */
  startAt: number | null
  onEnter: (folder: FileItem) => void
}

/** Milliseconds before a waiting message appears. */
const wordDelay = 150

export function PickerList({ folderId, mayMake, query, isHeld, excludedIds, startAt, onEnter }: PickerListProps) {
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
  // If everything loaded so far is excluded, load the next page.
  const isLacking = mayLoadMore && folders.length === 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each page
  useEffect(() => {
    if (isLacking) loadMore()
  }, [isLacking, loadMore, data?.cursor])
  return (
    <div className={styles.box}>
      {mayMake && <NewFolderRow parentId={folderId} onCreated={onEnter} />}
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

/** A message in place of folders. It takes the focus, so that keyboard users do not lose it. */
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
