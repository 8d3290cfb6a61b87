/** Performs an act on any number of items, and reports it once: how many were done, failed and left, with an Undo. */
import type { ReactNode } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import type { Change } from '../../lib/data/change.ts'
import { showError, showToast } from '../../ui/toast.tsx'
import { ToastName } from '../actions/toast-name.tsx'
import type { Problem } from '../actions/use-problem.ts'
import { itemCount } from '../counts.ts'
import { reasonOfFailures } from './failures.ts'
import { runAct } from './run-act.tsx'
import type { ActOutcome } from './slices.ts'

export interface Act<Item extends FileItem = FileItem> {
  items: readonly Item[]
  change: Change<Item>
  /** What goes on, as in "Moving to the trash". */
  title: ReactNode
  /** What was done to the items, as in "moved to the trash". */
  what: (done: readonly Item[]) => ReactNode
  /** Whether the list shows well enough what was done. */
  isQuiet?: boolean
  /** The title of a failure. */
  failure: string
  /** The act that takes it back. */
  undo?: (done: readonly Item[]) => Act<Item>
}

/** Milliseconds from which on the user may look elsewhere, so that the report stays until it is closed, or the next comes. */
const longAct = 5_000
/** Hides the last report that stays. */
let hideStaying = () => {}

/** `tell` shows failures. */
export async function perform<Item extends FileItem>(
  act: Act<Item>,
  tell: (problem: Problem) => void,
): Promise<ActOutcome<Item>> {
  const began = performance.now()
  const outcome = await runAct(act.items, act.change, act.title)
  if (outcome.failed.length > 0) tell({ title: act.failure, reason: reasonOfFailures(outcome) })
  if (outcome.done.length > 0 && !act.isQuiet) report(act, outcome, performance.now() - began > longAct)
  return outcome
}

/** One failure of an Undo, which belongs to no view. */
const tellInToast = ({ title, reason }: Problem): void => showError(`${title}. ${reason}`)

function report<Item extends FileItem>(act: Act<Item>, outcome: ActOutcome<Item>, stays: boolean): void {
  const { undo, what } = act
  const { done } = outcome
  const action = undo && { label: 'Undo', run: () => void perform(undo(done), tellInToast) }
  hideStaying()
  const hide = showToast({
    tone: 'success',
    isUndo: action !== undefined,
    action,
    stays,
    message: <Sentence what={what(done)} {...outcome} />,
  })
  hideStaying = stays ? hide : () => {}
}

interface SentenceProps extends Omit<ActOutcome<FileItem>, 'done'> {
  done: readonly FileItem[]
  what: ReactNode
}

/** As in "20 items were moved to the trash, 2 failed, 300 were left". */
function Sentence({ what, done, failed, left }: SentenceProps) {
  const [only] = done
  const isOne = done.length === 1
  return (
    <>
      {only && isOne ? <ToastName item={only} /> : <strong>{itemCount(done.length)}</strong>} {isOne ? 'was' : 'were'}{' '}
      {what}
      {failed.length > 0 && `, ${failed.length.toLocaleString('en-US')} failed`}
      {left.length > 0 && `, ${left.length.toLocaleString('en-US')} ${left.length === 1 ? 'was' : 'were'} left`}
    </>
  )
}
