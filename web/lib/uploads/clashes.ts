/** The question what to do with a taken name: when it is on screen, and what the answer does. */
import { decide, removeUpload } from './queue.ts'
import { allUploads } from './rows.ts'
import type { Uploads } from './state.ts'
import type { Upload } from './upload.ts'

export type ClashAnswer = 'rename' | 'replace' | 'skip'

const clashing = ({ rows }: Uploads): Upload[] => allUploads(rows).filter(({ status }) => status === 'clashing')

/** Shows the question when a name is taken. Each batch asks for itself, until the user dismisses its questions. */
export function followClashes(uploads: Uploads): void {
  const { rows, useQuestion } = uploads
  rows.useList.subscribe(({ clashing: ids }, before) => {
    if (ids === before.clashing) return
    if (ids.length === 0) useQuestion.setState({ isAsked: false })
    else if (clashing(uploads).some(({ batch }) => !batch.isQuiet)) useQuestion.setState({ isAsked: true })
  })
}

export const askAgain = ({ useQuestion }: Uploads): void => useQuestion.setState({ isAsked: true })

/** Dismisses the question. The uploads keep waiting, and each has a button that asks again. */
export function putQuestionsAway(uploads: Uploads): void {
  for (const { batch } of clashing(uploads)) batch.isQuiet = true
  uploads.useQuestion.setState({ isAsked: false })
}

/** An upload whose `replace` was refused has met a folder: only folders cannot be replaced. */
export const isFolderInTheWay = ({ rule }: Upload): boolean => rule === 'replace'

/** `isForAll` applies the answer to every taken name of these batches, now and later. Folders are never replaced. */
export function answerClash(uploads: Uploads, upload: Upload, answer: ClashAnswer, isForAll: boolean): void {
  const others = clashing(uploads)
  const meant = others
    .filter(({ id }) => isForAll || id === upload.id)
    .filter(other => answer !== 'replace' || !isFolderInTheWay(other))
  if (isForAll) for (const { batch } of others) batch.rule = answer
  const ids = meant.map(({ id }) => id)
  if (answer !== 'skip') decide(uploads, ids, answer)
  else for (const id of ids) removeUpload(uploads, id)
}
