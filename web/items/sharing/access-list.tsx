/** Who has access to an item: its owner, those it is shared with, and those who reach it through a folder above. */

import type { UseQueryResult } from '@tanstack/react-query'
import { useRef } from 'react'
import { accessRank, type Sharable } from '../../../src/api/share-words.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useFocusHeir } from '../../ui/use-focus-heir.ts'
import { AccessRow } from './access-row.tsx'
import styles from './share-dialog.module.css'

interface AccessListProps {
  item: Sharable
  query: UseQueryResult<AccessEntry[]>
}

export function AccessList({ item, query: { data, error, isPending, refetch } }: AccessListProps) {
  const isWaiting = useDelayed(isPending, 150)
  const list = useRef<HTMLUListElement>(null)
  // Those that have a button to focus.
  const removable = (data ?? []).flatMap(({ share_id, because }) =>
    share_id !== null && because.id === item.id ? [{ id: share_id }] : [],
  )
  const focusNext = useFocusHeir(list, removable, () => list.current?.focus())
  const entries = data && [...data].sort((a, b) => accessRank(a, item.id) - accessRank(b, item.id))
  return (
    <section className={styles.part} aria-label="Who has access">
      <h3 className={styles.heading}>Who has access</h3>
      {error && !data && (
        <ErrorBox title="Failed to load who has access" reason={reasonOf(error)} onRetry={() => void refetch()} />
      )}
      {isWaiting && <Waiting />}
      {entries && (
        <ul ref={list} className={styles.entries} tabIndex={-1}>
          {entries.map(entry => (
            <AccessRow key={entry.share_id ?? 'owner'} item={item} entry={entry} onRemove={focusNext} />
          ))}
        </ul>
      )}
    </section>
  )
}

function Waiting() {
  return (
    <div role="status" aria-label="Loading">
      {[1, 0.7, 0.4].map(opacity => (
        <div key={opacity} className={styles.entry} style={{ opacity }}>
          <span className={styles.portrait} />
          <span className={styles.bar} />
        </div>
      ))}
    </div>
  )
}
