/** The preview over the page: a full-window dialog. */
import { Button } from '@mantine/core'
import { useFocusTrap } from '@mantine/hooks'
import { useEffect } from 'react'
import type { FileItem } from '../../src/api/items.ts'
import { previewKind } from '../../src/api/preview-kinds.ts'
import { MissingDrawing } from '../ui/drawing.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { FilmStrip } from './film-strip.tsx'
import styles from './preview-dialog.module.css'
import { previewSource } from './preview-url.ts'
import { useOpenPreview } from './use-open-preview.ts'
import { useViewerKeys } from './use-viewer-keys.ts'
import { Viewer } from './viewer.tsx'
import { ViewerWaiting } from './viewer-waiting.tsx'
import { whyMissing } from './why-missing.ts'

export function PreviewDialog() {
  const { files, index, total, problem, go, leave, close, isQueue } = useOpenPreview()
  const trap = useFocusTrap()
  const item = files[index]
  const step = (by: 1 | -1) => {
    if (files[index + by] !== undefined) go(index + by)
  }
  useFocusReturn()
  useStageOnArrival(item !== undefined)
  useViewerKeys({ Escape: close, ArrowLeft: () => step(-1), ArrowRight: () => step(1) })
  usePrefetch(files[index + 1])
  const isOne = total < 2
  return (
    <div ref={trap} className={styles.dialog} role="dialog" aria-modal aria-label={item?.name ?? 'Preview'} data-viewer>
      {problem !== null && (
        <EmptyState drawing={<MissingDrawing />} title="This file is not here" sentence={whyMissing(problem)}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
        </EmptyState>
      )}
      {!item && problem === null && <ViewerWaiting onClose={close} />}
      {item && (
        <Viewer
          item={item}
          position={isOne ? undefined : { index, total }}
          onStep={step}
          onClose={close}
          isQueue={isQueue}
          onDecided={isQueue ? leave : undefined}
          strip={!isOne && <FilmStrip files={files} index={index} onGo={go} />}
        />
      )}
    </div>
  )
}

/** Returns the focus to the element that had it before, unless the page below has given it to another by then. */
function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (document.activeElement !== document.body) return
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
}

/** Moves the focus from the vanished Close button to the stage once the file has loaded. */
function useStageOnArrival(isThere: boolean): void {
  useEffect(() => {
    if (!isThere || document.activeElement !== document.body) return
    document.querySelector<HTMLElement>('[data-viewer-stage]')?.focus({ preventScroll: true })
  }, [isThere])
}

/** Larger images, in bytes, are not prefetched. */
const mostPrefetched = 20 * 1024 ** 2

/** Prefetches the next picture. */
function usePrefetch(next: FileItem | undefined): void {
  useEffect(() => {
    if (next === undefined || previewKind(next.mime_type) !== 'image' || next.size > mostPrefetched) return
    new Image().src = previewSource(next)
  }, [next])
}
