/** Deciding on one file, with a notice about the result. */
import type { ReactNode } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { PendingFile } from '../../../src/api/validation.ts'
import { refreshItems } from '../../lib/data/folders.ts'
import { beingDecided } from '../../lib/data/pending.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { log } from '../../lib/server/log-failure.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { showNotice, showToast } from '../../ui/toast.tsx'
import { ToastName } from '../actions/toast-name.tsx'
import { type Decision, type QueueKey, send, settle, takeOut } from './queue-edits.ts'

/** The result. `own`: users may not decide on their own files. */
type Outcome = 'decided' | 'own' | 'failed'

/** What is needed of a file that may be on no list of the queue. */
type Decided = Pick<PendingFile, 'id' | 'name' | 'is_directory' | 'owner_id' | 'sha256'>

/** Decides on a file that waits, says so in a toast, and refetches the lists. A failure is shown as a notice. */
export async function decide(queryKey: QueueKey, file: Decided, decision: Decision): Promise<Outcome> {
  const listed = queryClient.getQueryData(queryKey)?.filter(({ id }) => id === file.id) ?? []
  await takeOut(queryKey, [file])
  try {
    await send(file, decision)
    await settle(queryKey, [file], [])
    showToast({ tone: 'success', message: decided(file, decision.status) })
    return 'decided'
  } catch (error) {
    await settle(
      queryKey,
      [file],
      listed.map(item => ({ item, error })),
    )
    return tell(file, decision.status, error)
  } finally {
    if (beingDecided.size === 0) void refreshItems()
  }
}

const decided = (file: Decided, status: Decision['status']): ReactNode => (
  <>
    <ToastName item={file} /> was {status}
  </>
)

function tell(file: Decided, status: Decision['status'], error: unknown): Outcome {
  const code = error instanceof ApiError ? error.code : undefined
  const notice = (words: string): ReactNode => (
    <>
      <ToastName item={file} /> {words}
    </>
  )
  if (error instanceof ApiError && code === 'already_decided') {
    const hasChanged = error.fields.sha256 !== undefined
    showNotice(notice(hasChanged ? 'has changed since you looked at it' : 'was already decided by another'))
    return 'failed'
  }
  if (code === 'not_found') {
    showNotice(notice('is no longer there'))
    return 'failed'
  }
  if (code === 'forbidden' && file.owner_id === useAuth.getState().user?.id) {
    showNotice('You may not decide on your own files')
    return 'own'
  }
  const what = `Failed to ${status === 'approved' ? 'approve' : 'reject'}`
  log(`${what} ${file.name}`, error)
  showNotice(
    <>
      {what} <ToastName item={file} />
    </>,
  )
  return 'failed'
}
