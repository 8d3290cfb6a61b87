/** The files that wait for approval. */
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PendingFile } from '../../../src/api/validation.ts'
import { ToastName } from '../../items/actions/toast-name.tsx'
import { formatPending, pendingQueryOf, refreshPending } from '../../lib/data/pending.ts'
import { settingsQuery } from '../../lib/data/settings.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { ApprovedDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { showToast } from '../../ui/toast.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { type Decision, decide } from './decide.tsx'
import { OwnerFilter } from './owner-filter.tsx'
import { PrintedQueue } from './printed-queue.tsx'
import { QueueList } from './queue-list.tsx'
import { QueueSkeleton } from './queue-skeleton.tsx'
import styles from './validation-screen.module.css'

export function ValidationScreen() {
  const [owner, setOwner] = useState<string | null>(null)
  const query = pendingQueryOf(owner)
  const { data: files, error, errorUpdateCount, isPending, refetch } = useQuery(query)
  const [dismissed, setDismissed] = useState(0)
  const refresh = useRef<HTMLButtonElement>(null)
  const isWaiting = useDelayed(isPending, 150)
  const size = usePhone() ? 'lg' : 'sm'
  const [isOwn, noteRefusal] = useOwnFiles()
  // Once the chosen owner has no files left, show everybody's.
  const isDone = owner !== null && files?.length === 0
  useEffect(() => {
    if (isDone) setOwner(null)
  }, [isDone])
  /** The typed reasons of rejections, by file, until the rejections succeed. */
  const [reasons] = useState(() => new Map<number, string>())
  const decideOn = async (file: PendingFile, decision: Decision) => {
    if (decision.comment !== undefined) reasons.set(file.id, decision.comment)
    const outcome = await decide(query.queryKey, file, decision)
    if (outcome === 'own') noteRefusal()
    if (outcome !== 'decided') return
    reasons.delete(file.id)
    showToast({
      tone: 'success',
      message: (
        <>
          <ToastName item={file} /> was {decision.status}
        </>
      ),
    })
  }

  return (
    <Sheet title="Validation Queue">
      <div className={styles.head}>
        <ScreenTitle
          count={files && formatPending(files.length)}
          action={
            <Button
              ref={refresh}
              variant="default"
              size={size}
              leftSection={<IconRefresh size={16} stroke={1.75} aria-hidden />}
              onClick={() => void refreshPending()}
            >
              Refresh
            </Button>
          }
        >
          Validation Queue
        </ScreenTitle>
      </div>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load the validation queue"
          reason={reasonOf(error)}
          onRetry={() => void refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      {isWaiting && <QueueSkeleton />}
      {files?.length === 0 && owner === null && (
        <EmptyState
          drawing={<ApprovedDrawing />}
          title="No pending files"
          sentence="Uploads that wait for approval appear here"
        />
      )}
      {files && <PrintedQueue files={files} />}
      <OwnerFilter owner={owner} onChange={setOwner} />
      {files && files.length > 0 && (
        <QueueList
          files={files}
          isForbidden={isOwn}
          reasons={reasons}
          onDecide={(file, decision) => void decideOn(file, decision)}
          onLast={() => refresh.current?.focus()}
        />
      )}
    </Sheet>
  )
}

/**
 * Which files the user may not decide on because they are the user's own. A user who may not read the settings learns
 * it from the server's first refusal.
 */
function useOwnFiles() {
  const userId = useAuth(({ user }) => user?.id)
  const { data } = useQuery({ ...settingsQuery, enabled: useMay('settings:manage') })
  const [wasRefused, setRefused] = useState(false)
  const isKnown = data?.some(({ key, value }) => key === 'allow_self_validation' && value === 'false') === true
  const isForbidden = (file: { owner_id: number }) => file.owner_id === userId && (isKnown || wasRefused)
  return [isForbidden, () => setRefused(true)] as const
}
