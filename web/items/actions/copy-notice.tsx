/** Copies items, and shows the progress when it takes a while. */
import { create, useStore } from 'zustand'
import type { FileItem } from '../../../src/api/items.ts'
import type { Outcome } from '../../lib/data/batch.ts'
import { copyItems } from '../../lib/data/item-changes.ts'
import { showWhile } from '../../ui/toast.tsx'
import { ToastName } from './toast-name.tsx'

type Progress = ReturnType<typeof startProgress>

const startProgress = () => create(() => ({ behind: 0 }))

/** Copies items into a folder; null is the root. */
export function copyInSight(items: readonly FileItem[], folderId: number | null): Promise<Outcome> {
  const progress = startProgress()
  const copying = copyItems(items, folderId, behind => progress.setState({ behind }))
  return showWhile(copying, <Copying progress={progress} items={items} />)
}

function Copying({ progress, items }: { progress: Progress; items: readonly FileItem[] }) {
  const behind = useStore(progress, state => state.behind)
  const [only] = items
  if (only && items.length === 1) {
    return (
      <>
        Copying <ToastName item={only} />…
      </>
    )
  }
  return (
    <>
      Copying {(behind + 1).toLocaleString('en-US')} of {items.length.toLocaleString('en-US')}…
    </>
  )
}
