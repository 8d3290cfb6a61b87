/** Decides on files of the queue: they leave it at once, and those that the server refuses return. */
import { ApiError } from '../../../src/api/client.ts'
import { decideFile, type PendingFile } from '../../../src/api/validation.ts'
import { beingDecided, type pendingQueryOf } from '../../lib/data/pending.ts'
import { showAtOnce } from '../../lib/data/show-at-once.ts'
import { call } from '../../lib/server/call.ts'
import { queryClient } from '../../lib/server/query-client.ts'

export interface Decision {
  status: 'approved' | 'rejected'
  comment?: string
}

export type QueueKey = ReturnType<typeof pendingQueryOf>['queryKey']

/** Files leave the list on screen, and the lists of their owners and of all. */
export async function takeOut(queryKey: QueueKey, files: readonly Pick<PendingFile, 'id'>[]): Promise<void> {
  for (const { id } of files) beingDecided.add(id)
  const ids = new Set(files.map(({ id }) => id))
  const without = (queue: PendingFile[]) => queue.filter(({ id }) => !ids.has(id))
  queryClient.setQueriesData<PendingFile[]>({ queryKey: queryKey.slice(0, 2) }, queue => queue && without(queue))
  await showAtOnce(queryKey, without)
}

/** Decides on a file as the list showed it. Throws the server's error. */
export const send = (file: Pick<PendingFile, 'id' | 'sha256'>, { status, comment }: Decision): Promise<unknown> =>
  call(decideFile, { file_id: file.id, status, sha256: file.sha256, comment: comment || undefined })

const byAge = (a: PendingFile, b: PendingFile): number => a.id - b.id

/** Ends what `takeOut` began. Of the files that failed, those return to the list that still wait as they were. */
export async function settle(
  queryKey: QueueKey,
  files: readonly Pick<PendingFile, 'id'>[],
  failed: readonly { item: PendingFile; error: unknown }[],
): Promise<void> {
  // Cancel running requests: an answer from before the decision would show the files again.
  if (failed.length < files.length) await queryClient.cancelQueries({ queryKey: queryKey.slice(0, 2) })
  for (const { id } of files) beingDecided.delete(id)
  const returning = failed.filter(({ error }) => !isGone(error)).map(({ item }) => item)
  if (returning.length === 0) return
  queryClient.setQueryData(queryKey, (queue = []) => {
    const listed = new Set(queue.map(({ id }) => id))
    return [...queue, ...returning.filter(({ id }) => !listed.has(id))].sort(byAge)
  })
}

const isGone = (error: unknown): boolean =>
  error instanceof ApiError && (error.code === 'already_decided' || error.code === 'not_found')
