/** The toast that tells what was done and takes it back when asked. */
import type { ReactNode } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { messageOf } from '../lib/call.ts'
import { showError, showToast } from '../ui/toast.tsx'

const nameOf = (items: readonly FileItem[]) =>
  items.length === 1 ? <strong>{items[0]?.name}</strong> : <strong>{items.length.toLocaleString('en-US')} items</strong>

/** `what`: was done to the items, as in "moved to Docs". `failure`: the words for an undo that fails without a reason. */
export function offerUndo(
  done: readonly FileItem[],
  what: ReactNode,
  undo: () => Promise<unknown>,
  failure: string,
): void {
  if (done.length === 0) return
  showToast({
    tone: 'success',
    isUndo: true,
    message: (
      <>
        {nameOf(done)} {done.length === 1 ? 'was' : 'were'} {what}
      </>
    ),
    action: { label: 'Undo', run: () => void undo().catch(error => showError(messageOf(error, failure))) },
  })
}
