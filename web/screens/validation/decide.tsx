/** Deciding on a file: it leaves the queue at once, and returns when the server refuses. */
import type { ReactNode } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import { decideFile, type PendingFile } from '../../../src/api/validation.ts'
import { ToastName } from '../../items/actions/toast-name.tsx'
import { refreshItems } from '../../lib/data/folders.ts'
import { beingDecided, type pendingQueryOf } from '../../lib/data/pending.ts'
import { showAtOnce } from '../../lib/data/show-at-once.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { call } from '../../lib/server/call.ts'
import { log } from '../../lib/server/log-failure.ts'
import { queryClient } from '../../lib/server/query-client.ts'
import { showNotice } from '../../ui/toast.tsx'

export interface Decision {
  status: 'approved' | 'rejected'
  comment?: string
}

/** The result. `own`: users may not decide on their own files. */
type Outcome = 'decided' | 'own' | 'failed'

const byAge = (a: PendingFile, b: PendingFile): number => a.id - b.id

type QueueKey = ReturnType<typeof pendingQueryOf>['queryKey']

function putBack(queryKey: QueueKey, file: PendingFile): void {
  queryClient.setQueryData(queryKey, files =>
    files?.some(({ id }) => id === file.id) ? files : [...(files ?? []), file].sort(byAge),
  )
}

/** Decides on a file of the queue as the list showed it, and refetches the lists. A failure is shown as a notice. */
export async function decide(queryKey: QueueKey, file: PendingFile, { status, comment }: Decision): Promise<Outcome> {
  beingDecided.add(file.id)
  const without = (files: PendingFile[]) => files.filter(({ id }) => id !== file.id)
  // The file is in its owner's list and in the list of all.
  queryClient.setQueriesData<PendingFile[]>({ queryKey: queryKey.slice(0, 2) }, files => files && without(files))
  await showAtOnce(queryKey, without)
  try {
    await call(decideFile, { file_id: file.id, status, sha256: file.sha256, comment: comment || undefined })
    // Cancel running requests: an answer from before the decision would show the file again.
    await queryClient.cancelQueries({ queryKey: queryKey.slice(0, 2) })
    return 'decided'
  } catch (error) {
    const isGone = error instanceof ApiError && (error.code === 'already_decided' || error.code === 'not_found')
    if (!isGone) putBack(queryKey, file)
    return tell(file, status, error)
  } finally {
    beingDecided.delete(file.id)
    if (beingDecided.size === 0) void refreshItems()
  }
}

function tell(file: PendingFile, status: Decision['status'], error: unknown): Outcome {
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
