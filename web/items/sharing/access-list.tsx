/** Who has access to an item: its owner, those it is shared with, and those who reach it through a folder above. */

import type { UseQueryResult } from '@tanstack/react-query'
import { useRef } from 'react'
import { accessRank, type Sharable } from '../../../src/api/share-words.ts'
import type { AccessEntry } from '../../../src/api/shares.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { useFocusHeir } from '../../ui/use-focus-heir.ts'
import { groupLinks, isOfPerson } from './access-links.ts'
import { AccessRow } from './access-row.tsx'
import { LinkAccessRow } from './link-access-row.tsx'
import styles from './share-dialog.module.css'
import { WaitingRows } from './waiting-rows.tsx'

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
  const managers = (data ?? []).filter(({ level, works }) => level === 'manage' && works)
  const entries = data && [...data].sort((a, b) => accessRank(a, item.id) - accessRank(b, item.id))
  return (
    <section className={styles.part} aria-label="Who has access">
      <h3 className={styles.heading}>Who has access</h3>
      {error && !data && (
        <ErrorBox title="Failed to load who has access" reason={reasonOf(error)} onRetry={() => void refetch()} />
      )}
      {isWaiting && <WaitingRows />}
      {entries && (
        <ul ref={list} className={styles.entries} tabIndex={-1}>
          {entries.filter(isOfPerson).map(entry => (
            <AccessRow
              key={entry.share_id ?? 'owner'}
              item={item}
              entry={entry}
              isLastManager={managers.length === 1 && managers[0] === entry}
              onRemove={focusNext}
            />
          ))}
          {groupLinks(entries).map(group => (
            <LinkAccessRow key={`links on ${group.because.id}`} item={item} group={group} />
          ))}
        </ul>
      )}
    </section>
  )
}
