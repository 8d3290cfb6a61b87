/** Shows a file according to its type. */
import { CatchBoundary } from '@tanstack/react-router'
import type { FileItem } from '../../src/api/items.ts'
import { previewKind } from '../../src/api/preview-kinds.ts'
import { lazyPart } from '../lib/server/lazy-part.ts'
import { formatSize } from '../lib/words/format-size.ts'
import { ImageStage } from './image/image-stage.tsx'
import { MediaStage } from './media-stage.tsx'
import { PdfFailure } from './pdf/pdf-failure.tsx'
import { PdfWaiting } from './pdf/pdf-waiting.tsx'
import { TextStage } from './text/text-stage.tsx'
import { ViewerNotice } from './viewer-notice.tsx'

const PdfViewer = lazyPart(() => import('./pdf/pdf-viewer.tsx'), 'PdfViewer', PdfWaiting)

interface FileStageProps {
  item: FileItem
  /** Called when the file could not be shown. */
  onFail: () => void
}

export function FileStage({ item, onFail }: FileStageProps) {
  const kind = previewKind(item.mime_type)
  switch (kind) {
    case 'image':
      return <ImageStage item={item} onFail={onFail} />
    case 'text':
      return <TextStage item={item} onFail={onFail} />
    case 'video':
    case 'audio':
      return <MediaStage item={item} kind={kind} onFail={onFail} />
    case 'pdf':
      return (
        <CatchBoundary
          getResetKey={() => item.id}
          errorComponent={({ error }) => <PdfFailure item={item} error={error} />}
        >
          <PdfViewer item={item} onFail={onFail} />
        </CatchBoundary>
      )
    case null:
      return (
        <ViewerNotice
          item={item}
          title="Preview not available for this file type"
          sentence={`${formatSize(item.size)}. Download the file to open it with another program.`}
        />
      )
  }
}
