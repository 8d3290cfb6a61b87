/** A file of the folder in the whole window, with the files before and after it. */
import { useFocusTrap } from '@mantine/hooks'
import { IconDownload, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { previewKind } from '../../../src/api/preview-kinds.ts'
import type { VisitorItem } from '../../../src/api/visits.ts'
import { ItemName } from '../../items/item-name.tsx'
import { formatSize } from '../../lib/words/format-size.ts'
import { MissingDrawing } from '../../ui/drawing.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { watchWindow } from '../../ui/watch-window.ts'
import { FilmStrip } from '../../viewer/film-strip.tsx'
import dialog from '../../viewer/preview-dialog.module.css'
import { previewSource } from '../../viewer/preview-url.ts'
import { ToolsPlace } from '../../viewer/stage-tools.tsx'
import { StepButtons } from '../../viewer/step-buttons.tsx'
import { ToolButton } from '../../viewer/tool-button.tsx'
import { useSwipe } from '../../viewer/use-swipe.ts'
import { useViewerKeys } from '../../viewer/use-viewer-keys.ts'
import styles from '../../viewer/viewer.module.css'
import headStyles from '../../viewer/viewer-head.module.css'
import { saveItem } from '../downloads.ts'
import { type Listing, loadMore } from '../folder/listing.ts'
import { useIsLimited } from '../limits.ts'
import { closeFile, turnTo, usePlace } from '../place.ts'
import { useTitle } from '../use-title.ts'
import { Stage } from './stage.tsx'
import { useFile } from './use-file.ts'

interface PreviewProps {
  id: number
  /** The folder that the file is in; null while it is loading. */
  listing: Listing | null
}

/** A phone's head has no room for the tools, unless it is held sideways; then the stage needs the height. */
const useToolsBelow = watchWindow('(max-width: 567.98px), (max-width: 767.98px) and (min-height: 500px)')

export function Preview({ id, listing }: PreviewProps) {
  const trap = useFocusTrap()
  const { files, index, total } = filesOf(listing, id)
  const { item, isGone } = useFile(id, files[index])
  const step = (by: 1 | -1) => {
    const next = files[index + by]
    if (index >= 0 && next !== undefined) turnTo({ ...usePlace.getState(), file: next.id })
  }
  useFocusReturn()
  useViewerKeys({ Escape: closeFile, ArrowLeft: () => step(-1), ArrowRight: () => step(1) })
  usePrefetch(files[index + 1])
  // The next page, before the last file is reached.
  useEffect(() => {
    if (index >= 0 && index + 10 > files.length) void loadMore()
  }, [index, files.length])
  const name = item?.name ?? 'Preview'
  const isOne = index < 0 || total < 2
  return (
    <div ref={trap} className={dialog.dialog} role="dialog" aria-modal aria-label={name} data-viewer>
      {item === undefined ? (
        <>
          <div className={headStyles.head}>
            <ToolButton label="Close" icon={IconX} onClick={closeFile} />
          </div>
          {isGone && (
            <EmptyState
              drawing={<MissingDrawing />}
              title="This file is not here"
              sentence="It was moved or deleted."
            />
          )}
        </>
      ) : (
        <>
          <Shown item={item} position={isOne ? undefined : { index, total }} onStep={isOne ? undefined : step} />
          {!isOne && (
            <FilmStrip
              files={files}
              index={index}
              onGo={at => turnTo({ ...usePlace.getState(), file: files[at]?.id ?? id })}
            />
          )}
        </>
      )}
    </div>
  )
}

interface ShownProps {
  item: VisitorItem
  position: { index: number; total: number } | undefined
  onStep: ((by: 1 | -1) => void) | undefined
}

function Shown({ item, position, onStep }: ShownProps) {
  const [place, setPlace] = useState<HTMLElement | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  const areToolsBelow = useToolsBelow()
  useSwipe(stage, onStep)
  useTitle(item.name)
  const tools = <div ref={setPlace} className={styles.tools} />
  const words =
    position && `${(position.index + 1).toLocaleString('en-US')} of ${position.total.toLocaleString('en-US')}`
  return (
    <>
      <div className={headStyles.head}>
        <ToolButton label="Close" icon={IconX} onClick={closeFile} />
        <div className={headStyles.words}>
          <h2 className={headStyles.name} title={item.name}>
            <ItemName item={item} />
          </h2>
          <span className={headStyles.meta}>{[words, formatSize(item.size)].filter(Boolean).join(' · ')}</span>
        </div>
        {!areToolsBelow && tools}
        <div className={headStyles.actions}>
          <ToolButton label="Download" icon={IconDownload} onClick={() => saveItem(item)} />
        </div>
      </div>
      <div className={styles.middle}>
        <div ref={stage} className={styles.stage} tabIndex={-1} data-viewer-stage data-autofocus>
          <ToolsPlace value={place}>
            <Stage item={item} />
          </ToolsPlace>
          {position && onStep && <StepButtons {...position} onStep={onStep} />}
        </div>
      </div>
      {areToolsBelow && tools}
    </>
  )
}

/** The files of the folder without its folders; `index` is -1 if the file is not among those that are loaded. */
function filesOf(listing: Listing | null, id: number) {
  const files = (listing?.items ?? []).filter(({ is_directory }) => !is_directory)
  const total = listing === null ? 0 : Math.max(files.length, listing.total - listing.folders)
  return { files, index: files.findIndex(file => file.id === id), total }
}

/** Returns the focus to the element that had it before. */
function useFocusReturn(): void {
  useEffect(() => {
    const before = document.activeElement
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [])
}

/** Larger images, in bytes, are not prefetched. */
const mostPrefetched = 20 * 1024 ** 2

function usePrefetch(next: VisitorItem | undefined): void {
  const isLimited = useIsLimited()
  useEffect(() => {
    if (next === undefined || isLimited || previewKind(next.mime_type) !== 'image' || next.size > mostPrefetched) return
    new Image().src = previewSource(next)
  }, [next, isLimited])
}
