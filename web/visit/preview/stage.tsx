/** Shows a file of the link according to its type, as the product's own viewer does. */
import { fileKind, kindLabels } from '../../../src/api/kinds.ts'
import { previewKind } from '../../../src/api/preview-kinds.ts'
import { getLinkFile } from '../../../src/api/visits.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { createLazyPart } from '../../ui/lazy-part.tsx'
import { ImageStage } from '../../viewer/image/image-stage.tsx'
import { MediaStage } from '../../viewer/media-stage.tsx'
import { PdfFailure } from '../../viewer/pdf/pdf-failure.tsx'
import { PdfWaiting } from '../../viewer/pdf/pdf-waiting.tsx'
import { SaveFile } from '../../viewer/save-file.ts'
import { TextStage } from '../../viewer/text/text-stage.tsx'
import type { ViewedFile } from '../../viewer/viewed-file.ts'
import { ViewerNotice } from '../../viewer/viewer-notice.tsx'
import { Boundary } from '../boundary.tsx'
import { saveItem } from '../downloads.ts'
import { noPreview, useIsLimited } from '../limits.ts'
import { confirmLink } from '../link.ts'
import { callOnce, token } from '../link-calls.ts'

const PdfViewer = createLazyPart(() => import('../../viewer/pdf/pdf-viewer.tsx'), 'PdfViewer', PdfWaiting)

/** Finds out why a file cannot be shown: the link may have ended. */
const ask = (id: number) => () => void callOnce(getLinkFile, { token, id }).catch(confirmLink)

interface StageProps {
  item: ViewedFile
  /** Whether Download stands large beside the stage. */
  isPage?: boolean
}

export const Stage = (props: StageProps) => (
  <SaveFile value={saveItem}>
    <Content key={props.item.id} {...props} />
  </SaveFile>
)

function Content({ item, isPage = false }: StageProps) {
  return useIsLimited() ? (
    <ViewerNotice item={item} title={kindLabels[fileKind(item.mime_type)]} sentence={noPreview} />
  ) : (
    <Preview item={item} isPage={isPage} />
  )
}

function Preview({ item, isPage }: Required<StageProps>) {
  const kind = previewKind(item.mime_type)
  const onFail = ask(item.id)
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
        <Boundary fallback={error => <PdfFailure item={item} error={error} />}>
          <PdfViewer item={item} onFail={onFail} />
        </Boundary>
      )
    case null:
      return (
        <ViewerNotice
          item={item}
          title="Preview not available for this file type"
          sentence={`${formatSize(item.size)}. Download the file to open it with another program.`}
          download={isPage ? null : undefined}
        />
      )
  }
}
