/** The question what to do with a name that is taken: when it is on screen, and what the answer does. */
import { decide, removeUpload } from './queue.ts'
import { allUploads } from './rows.ts'
import type { Uploads } from './state.ts'
import type { Upload } from './upload.ts'

export type ClashAnswer = 'rename' | 'replace' | 'skip'

const clashing = ({ rows }: Uploads): Upload[] => allUploads(rows).filter(({ status }) => status === 'clashing')

/** Asks when a name turns out to be taken; each batch asks by itself, until its questions are put away. */
export function followClashes(uploads: Uploads): void {
  const { rows, useQuestion } = uploads
  rows.useList.subscribe(({ clashing: ids }, before) => {
    if (ids === before.clashing) return
    if (ids.length === 0) useQuestion.setState({ isAsked: false })
    else if (clashing(uploads).some(({ batch }) => !batch.isQuiet)) useQuestion.setState({ isAsked: true })
  })
}

export const askAgain = ({ useQuestion }: Uploads): void => useQuestion.setState({ isAsked: true })

/** Leaves the uploads waiting; each has a button that asks again. */
export function putQuestionsAway(uploads: Uploads): void {
  for (const { batch } of clashing(uploads)) batch.isQuiet = true
  uploads.useQuestion.setState({ isAsked: false })
}

/** What cannot be replaced is a folder. */
export const isFolderInTheWay = ({ rule }: Upload): boolean => rule === 'replace'

/** `isForAll`: for every name of these batches that is taken, now or later. Folders in the way are never replaced. */
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
