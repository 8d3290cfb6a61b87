/** A toast that reports a change and offers Undo. */
import type { ReactNode } from 'react'
import type { FileItem } from '../../../src/api/items.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { showError, showToast, showWhile } from '../../ui/toast.tsx'
import { itemCount } from '../counts.ts'
import { ToastName } from './toast-name.tsx'

interface Deed {
  /** The changed items; without any, no toast is shown. */
  items: readonly FileItem[]
  /** What was done to them, as in "moved to Docs". */
  what: ReactNode
  undo: () => Promise<unknown>
  /** What the toast says after the Undo. */
  undone: string
  /** The message for an Undo that fails without a reason. */
  failure: string
}

export function offerUndo({ items, what, undo, undone, failure }: Deed): void {
  if (items.length === 0) return
  const run = () =>
    showWhile(undo(), 'Undoing…').then(
      () => showToast({ tone: 'success', message: sentence(items, undone) }),
      error => showError(messageOf(error, failure)),
    )
  showToast({
    tone: 'success',
    isUndo: true,
    message: sentence(items, what),
    action: { label: 'Undo', run: () => void run() },
  })
}

function sentence(items: readonly FileItem[], what: ReactNode): ReactNode {
  const [only] = items
  return (
    <>
      {only && items.length === 1 ? <ToastName item={only} /> : <strong>{itemCount(items.length)}</strong>}{' '}
      {items.length === 1 ? 'was' : 'were'} {what}
    </>
  )
}
