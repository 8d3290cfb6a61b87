/** The files that wait for approval. */
import { Button } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { PendingFile } from '../../../src/api/validation.ts'
import { useProblem } from '../../items/actions/use-problem.ts'
import { isSelecting, PhoneSelectionBottom, PhoneSelectionTop } from '../../items/list/selection/phone-selection.tsx'
import { decide } from '../../items/review/decide.tsx'
import type { Decision } from '../../items/review/queue-edits.ts'
import { useOwnFiles } from '../../items/review/use-own-files.ts'
import { formatPending, pendingQueryOf, refreshPending } from '../../lib/data/pending.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { ApprovedDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { OwnerFilter } from './owner-filter.tsx'
import { PrintedQueue } from './printed-queue.tsx'
import { QueueList } from './queue-list.tsx'
import { useQueueSelection } from './queue-selection.tsx'
import { QueueSkeleton } from './queue-skeleton.tsx'
import styles from './validation-screen.module.css'

const noFiles: readonly PendingFile[] = []

export function ValidationScreen() {
  const [owner, setOwner] = useState<string | null>(null)
  const query = pendingQueryOf(owner)
  const { data: files, error, errorUpdateCount, isPending, refetch } = useQuery(query)
  const [dismissed, setDismissed] = useState(0)
  const refresh = useRef<HTMLButtonElement>(null)
  const isWaiting = useDelayed(isPending, 150)
  const isPhone = usePhone()
  const size = isPhone ? 'lg' : 'sm'
  const own = useOwnFiles()
  // Once the chosen owner has no files left, show everybody's.
  const isDone = owner !== null && files?.length === 0
  useEffect(() => {
    if (isDone) setOwner(null)
  }, [isDone])
  const [problem, setProblem] = useProblem()
  const queue = useQueueSelection({
    files: files ?? noFiles,
    queryKey: query.queryKey,
    isForbidden: own.isForbidden,
    onFailure: own.noteFailure,
    tell: setProblem,
  })
  const isChoosing = isPhone && isSelecting(queue)
  /** The typed reasons of rejections, by file, until the rejections succeed. */
  const [reasons] = useState(() => new Map<number, string>())
  const decideOn = async (file: PendingFile, decision: Decision) => {
    if (decision.comment !== undefined) reasons.set(file.id, decision.comment)
    const outcome = await decide(query.queryKey, file, decision)
    if (outcome === 'own') own.noteRefusal()
    if (outcome === 'decided') reasons.delete(file.id)
  }

  return (
    <Sheet title="Validation Queue" data-decisions>
      {isChoosing ? (
        <PhoneSelectionTop over="title" {...queue} />
      ) : (
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
      )}
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load the validation queue"
          reason={reasonOf(error)}
          onRetry={() => void refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      {problem && <ErrorStrip {...problem} onDismiss={() => setProblem(null)} />}
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
          selection={queue}
          isForbidden={own.isForbidden}
          reasons={reasons}
          onDecide={(file, decision) => void decideOn(file, decision)}
          onLast={() => refresh.current?.focus()}
        />
      )}
      {isChoosing && <PhoneSelectionBottom {...queue} />}
      {queue.dialog}
    </Sheet>
  )
}
