/** Approve and Reject for the file on the stage, while it waits and the user may review. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { decide } from '../items/review/decide.tsx'
import { DecisionButtons } from '../items/review/decision-buttons.tsx'
import type { Decision } from '../items/review/queue-edits.ts'
import { RejectDialog } from '../items/review/reject-dialog.tsx'
import { useOwnFiles } from '../items/review/use-own-files.ts'
import { itemQuery } from '../lib/data/metadata.ts'
import { pendingQueryOf } from '../lib/data/pending.ts'
import { useMay } from '../lib/server/permissions.ts'
import { queryClient } from '../lib/server/query-client.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import styles from './review-bar.module.css'
import { useViewerKeys } from './use-viewer-keys.ts'

interface ReviewBarProps {
  file: FileItem & { sha256?: string | null }
  /** Who has put it there, in words. */
  sender: string
  /** Changes with what the stage shows. */
  stageKey: string
  /** Whether the file was opened from the queue, which says why a user may not decide. */
  isQueue: boolean
  onDecided: () => void
  /** Called when the server refused the decision; the content may be another one by now. */
  onRefused: () => void
}

export function ReviewBar({ file, isQueue, ...rest }: ReviewBarProps) {
  const own = useOwnFiles()
  const hasStood = useStanding(file.id)
  const mayReview = useMay('validation:review')
  if (!mayReview || file.validation_status !== 'pending') return null
  if (own.isForbidden(file)) return isQueue ? <Bar>You may not decide on your own files</Bar> : null
  // Nothing that was begun for one file goes on with the next.
  return <Decisions key={file.id} file={file} noteOwn={own.noteRefusal} hasStood={hasStood} {...rest} />
}

interface DecisionsProps extends Omit<ReviewBarProps, 'isQueue'> {
  /** Takes note that users may not decide on their own files. */
  noteOwn: () => void
  hasStood: () => boolean
}

/** The content that is decided on: what the stage showed when the question came up. */
interface Asked {
  stageKey: string
  sha256: string | null | undefined
}

function Decisions({ file, sender, stageKey, noteOwn, hasStood, onDecided, onRefused }: DecisionsProps) {
  const [approved, setApproved] = useState<Asked | null>(null)
  const [rejected, setRejected] = useState<Asked | null>(null)
  const [reason, setReason] = useState('')
  const isBusy = useRef(false)
  const shown: Asked = { stageKey, sha256: useSeen(stageKey, file.sha256) }
  useStageFocus()

  const send = async ({ sha256: seen }: Asked, decision: Decision) => {
    if (isBusy.current) return
    isBusy.current = true
    const sha256 = seen ?? (await queryClient.fetchQuery(itemQuery(file.id)).catch(() => null))?.sha256 ?? ''
    const outcome = await decide(pendingQueryOf(null).queryKey, { ...file, sha256 }, decision)
    setReason(outcome === 'decided' ? '' : (decision.comment ?? ''))
    if (outcome === 'own') noteOwn()
    if (outcome === 'failed') {
      await queryClient.invalidateQueries({ queryKey: itemQuery(file.id).queryKey })
      onRefused()
    }
    isBusy.current = false
    if (outcome === 'decided') onDecided()
  }
  /** Runs it unless a decision is on its way: the next key press would be meant for a file that is not there yet. */
  const unlessBusy = (run: () => void) => () => isBusy.current || run()
  const askToApprove = unlessBusy(() => setApproved(shown))
  const reject = unlessBusy(() => setRejected(shown))
  useViewerKeys({ a: ({ repeat }) => !repeat && askToApprove(), r: ({ repeat }) => !repeat && reject() })
  const isAsked = (asked: Asked | null) => asked?.stageKey === stageKey

  return (
    <Bar sender={sender}>
      <DecisionButtons
        rejecting={{ title: 'Reject (R)', 'aria-keyshortcuts': 'R' }}
        approving={{ title: 'Approve (A)', 'aria-keyshortcuts': 'A' }}
        hasStood={hasStood}
        onReject={reject}
        onApprove={() => void send(shown, { status: 'approved' })}
      />
      <ConfirmDialog
        opened={isAsked(approved)}
        onClose={() => setApproved(null)}
        title="Approve 1 file"
        confirm="Approve"
        isHarmless
        onConfirm={() => void (approved && send(approved, { status: 'approved' }))}
      >
        Everybody who sees its folder will see <strong>{file.name}</strong>. This cannot be undone.
      </ConfirmDialog>
      <RejectDialog
        count={isAsked(rejected) ? 1 : 0}
        reason={reason}
        onClose={() => setRejected(null)}
        onReject={comment => void (rejected && send(rejected, { status: 'rejected', comment }))}
      />
    </Bar>
  )
}

interface BarProps {
  sender?: string
  children: ReactNode
}

function Bar({ sender, children }: BarProps) {
  return (
    <section className={styles.bar} aria-label="Approval">
      {sender !== undefined && (
        <p className={styles.words}>
          Waits for approval · <span dir="auto">{sender}</span>
        </p>
      )}
      {children}
    </section>
  )
}

/** The hash of the content that the stage shows: a refetch may tell another one before the stage follows. */
function useSeen(key: string, sha256: string | null | undefined): string | null | undefined {
  const [seen, setSeen] = useState({ key, sha256 })
  if (seen.key !== key || (seen.sha256 === undefined && sha256 !== undefined)) setSeen({ key, sha256 })
  return seen.sha256
}

/** Milliseconds after a file came in which the second half of a double click may hit it. */
const settling = 600

/** Returns a function that says whether a file has been on the stage for a while. */
function useStanding(id: number): () => boolean {
  const since = useRef({ id, at: Number.NEGATIVE_INFINITY })
  useEffect(() => {
    if (since.current.id !== id) since.current = { id, at: performance.now() }
  }, [id])
  return () => performance.now() - since.current.at >= settling
}

/** Gives the focus to the stage when the bar goes with the button that had it. */
function useStageFocus(): void {
  useEffect(
    () => () => {
      if (document.activeElement !== document.body) return
      document.querySelector<HTMLElement>('[data-viewer-stage]')?.focus({ preventScroll: true })
    },
    [],
  )
}
