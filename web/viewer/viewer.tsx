/** One file in the whole window: head, stage, details, and with several files the film strip. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { ApiError } from '../../src/api/client.ts'
import type { FileItem } from '../../src/api/items.ts'
import type { PendingFile } from '../../src/api/validation.ts'
import { useItemActions } from '../items/actions/use-item-actions.tsx'
import { senderOf } from '../items/review/origin.ts'
import { itemQuery } from '../lib/data/metadata.ts'
import { downloadItem } from '../lib/local/download.ts'
import { queryClient } from '../lib/server/query-client.ts'
import { ErrorStrip } from '../ui/error-strip.tsx'
import { showError } from '../ui/toast.tsx'
import { watchWindow } from '../ui/watch-window.ts'
import { FileStage } from './file-stage.tsx'
import { ReviewBar } from './review-bar.tsx'
import { SaveFile } from './save-file.ts'
import { ToolsPlace } from './stage-tools.tsx'
import { StepButtons } from './step-buttons.tsx'
import { useSwipe } from './use-swipe.ts'
import type { ViewedFile } from './viewed-file.ts'
import styles from './viewer.module.css'
import { useViewerDetails, ViewerDetails } from './viewer-details.tsx'
import { ViewerHead } from './viewer-head.tsx'
import { ViewerNotice } from './viewer-notice.tsx'
import { whyGone } from './why-missing.ts'

/** The queue tells the hash of each file, and the link that it has come by. */
type ListedItem = FileItem & { sha256?: string | null } & Partial<Pick<PendingFile, 'by_link'>>

interface ViewerProps {
  /** The file as the list has it; the server's current version replaces it. */
  item: ListedItem
  /** Its place among the files that the arrows step through. */
  position?: { index: number; total: number }
  /** Goes to the next or the previous file; undefined when there is only one. */
  onStep?: (step: 1 | -1) => void
  onClose: () => void
  /** Whether the viewer is a page of its own and not a dialog over one. */
  isPage?: boolean
  strip?: ReactNode
  /** Whether the files are those of the validation queue. */
  isQueue?: boolean
  /** Called when the user has approved or rejected a file. */
  onDecided?: (id: number) => void
}

/** A phone's head has no room for the tools, unless it is held sideways; then the stage needs the height. */
const useToolsBelow = watchWindow('(max-width: 567.98px), (max-width: 767.98px) and (min-height: 500px)')

const stays = () => undefined
const save = (file: ViewedFile): void => void downloadItem(file).catch(() => showError('Download failed'))

export function Viewer({
  item: listed,
  position,
  onStep,
  onClose,
  isPage = false,
  strip,
  isQueue = false,
  onDecided,
}: ViewerProps) {
  const { data, error } = useQuery(itemQuery(listed.id))
  const [toolsPlace, setToolsPlace] = useState<HTMLElement | null>(null)
  const { isOpen } = useViewerDetails()
  const stage = useRef<HTMLDivElement>(null)
  useSwipe(stage, onStep)
  const areToolsBelow = useToolsBelow()
  const item: ListedItem = data ?? listed
  const actions = useItemActions([item], stays)
  const isGone = error instanceof ApiError && error.status === 404
  const tools = <div ref={setToolsPlace} className={styles.tools} />
  const [reloads, setReloads] = useState(0)
  // New content needs a new stage; a new name does not.
  const stageKey = `${item.id} ${item.size} ${item.modified_at} ${reloads}`
  /** Refetch the item: it may not be shown because it no longer exists. */
  const ask = () => void queryClient.invalidateQueries({ queryKey: itemQuery(item.id).queryKey })
  return (
    <>
      <ViewerHead {...{ item, position, isGone, isPage, actions, onClose }}>{!areToolsBelow && tools}</ViewerHead>
      {actions.problem && <ErrorStrip {...actions.problem} onDismiss={actions.dismissProblem} />}
      <div className={styles.middle}>
        <div ref={stage} className={styles.stage} tabIndex={-1} data-viewer-stage data-autofocus>
          <ToolsPlace value={toolsPlace}>
            <SaveFile value={save}>
              {isGone ? <Gone item={listed} /> : <FileStage key={stageKey} item={item} onFail={ask} />}
            </SaveFile>
          </ToolsPlace>
          {position && onStep && <StepButtons {...position} onStep={onStep} />}
        </div>
        {isOpen && !isGone && <ViewerDetails item={item} actions={actions} />}
      </div>
      {areToolsBelow && tools}
      {!isGone && (
        <ReviewBar
          file={item}
          sender={senderOf({ owner: item.owner_name, by_link: listed.by_link ?? null })}
          stageKey={stageKey}
          isQueue={isQueue}
          onDecided={() => onDecided?.(item.id)}
          onRefused={() => setReloads(reloads + 1)}
        />
      )}
      {strip}
      {actions.dialogs}
    </>
  )
}

const Gone = ({ item }: { item: FileItem }) => (
  <ViewerNotice item={item} title="This file is not here" sentence={whyGone} download={null} isFailure />
)
