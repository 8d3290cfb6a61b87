/** The question what to do with a name that is taken: when it is on screen, and what the answer does. */
import { create } from 'zustand'
import { decide, removeUpload } from './queue.ts'
import { allUploads, type Upload, useUploadList } from './rows.ts'

export type ClashAnswer = 'rename' | 'replace' | 'skip'

const useQuestion = create<{ isAsked: boolean }>(() => ({ isAsked: false }))

const clashing = (): Upload[] => allUploads().filter(({ status }) => status === 'clashing')

/** Each batch asks by itself, until its questions are put away. */
useUploadList.subscribe(({ clashing: ids }, before) => {
  if (ids === before.clashing) return
  if (ids.length === 0) useQuestion.setState({ isAsked: false })
  else if (clashing().some(({ batch }) => !batch.isQuiet)) useQuestion.setState({ isAsked: true })
})

/** The upload that is asked about; undefined while none is. */
export function useAskedClash(): number | undefined {
  const { isAsked } = useQuestion()
  const id = useUploadList(list => list.clashing[0])
  return isAsked ? id : undefined
}

export const askAgain = (): void => useQuestion.setState({ isAsked: true })

/** Leaves the uploads waiting; each has a button that asks again. */
export function putQuestionsAway(): void {
  for (const { batch } of clashing()) batch.isQuiet = true
  useQuestion.setState({ isAsked: false })
}

/** What cannot be replaced is a folder. */
export const isFolderInTheWay = ({ rule }: Upload): boolean => rule === 'replace'

/** `isForAll`: for every name of these batches that is taken, now or later. Folders in the way are never replaced. */
export function answerClash(upload: Upload, answer: ClashAnswer, isForAll: boolean): void {
  const others = clashing()
  const meant = others
    .filter(({ id }) => isForAll || id === upload.id)
    .filter(other => answer !== 'replace' || !isFolderInTheWay(other))
  if (isForAll) for (const { batch } of others) batch.rule = answer
  const ids = meant.map(({ id }) => id)
  if (answer !== 'skip') decide(ids, answer)
  else for (const id of ids) removeUpload(id)
}
