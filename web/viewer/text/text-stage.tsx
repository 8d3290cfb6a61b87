/** A text on the stage: numbered lines, windowed. Its content is always shown as plain text. */
import { Button } from '@mantine/core'
import { IconTextWrap } from '@tabler/icons-react'
import { use, useMemo } from 'react'
import { create } from 'zustand'
import { reasonOf } from '../../lib/server/reason-of.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { previewUrl } from '../preview-url.ts'
import { PrintButton } from '../print-button.tsx'
import { SaveFile } from '../save-file.ts'
import { StageTools } from '../stage-tools.tsx'
import { ToolButton } from '../tool-button.tsx'
import type { ViewedFile } from '../viewed-file.ts'
import { ViewerNotice } from '../viewer-notice.tsx'
import { PrintedText } from './printed-text.tsx'
import { TextLines } from './text-lines.tsx'
import { allRows } from './text-rows.ts'
import styles from './text-stage.module.css'
import { type FileText, useText } from './use-text.ts'

interface TextStageProps {
  item: ViewedFile
  /** Called when the file cannot be loaded. */
  onFail: () => void
}

/** Whether long lines wrap; one setting for all files. */
const useWrap = create(() => ({ isWrapped: true }))

export function TextStage({ item, onFail }: TextStageProps) {
  const size = usePhone() ? 'lg' : 'sm'
  const text = useText(previewUrl(item), onFail)
  const rows = useMemo(() => allRows(text.rows), [text.rows])
  const { isWrapped } = useWrap()
  const isSlow = useDelayed(text.isLoading && rows.length === 0, 150)
  if (rows.length === 0) {
    if (text.isLoading) return isSlow ? <Waiting /> : null
    if (text.error === null) {
      return <ViewerNotice item={item} title="This file is empty" sentence="It has no text to show." />
    }
    return (
      <ViewerNotice item={item} title="Failed to load file content" sentence={reasonOf(text.error)} isFailure>
        <Button variant="default" size={size} onClick={text.readOn}>
          Retry
        </Button>
      </ViewerNotice>
    )
  }
  return (
    <>
      <StageTools>
        <ToolButton
          label="Wrap lines"
          icon={IconTextWrap}
          isOn={isWrapped}
          onClick={() => useWrap.setState({ isWrapped: !isWrapped })}
        />
        <PrintButton />
      </StageTools>
      <PrintedText item={item} rows={rows} text={text} />
      <TextLines
        key={String(isWrapped)}
        label={`Text of ${item.name}`}
        rows={rows}
        isWrapped={isWrapped}
        end={text.read < text.total ? <MoreBar item={item} text={text} /> : null}
      />
    </>
  )
}

function Waiting() {
  return (
    <div className={styles.waiting} role="status" aria-label="Loading">
      {[62, 48, 71, 35, 54].map(width => (
        <span key={width} style={{ width: `${width}%` }} />
      ))}
    </div>
  )
}

/** Below the last loaded line: how much is shown, and a button for the rest. */
function MoreBar({ item, text }: { item: ViewedFile; text: FileText }) {
  const size = usePhone() ? 'lg' : 'xs'
  const save = use(SaveFile)
  const shown = `${formatSize(text.read)} of ${formatSize(text.total)} shown`
  return (
    <div className={styles.more} role={text.error === null ? undefined : 'alert'}>
      {text.error === null ? (
        <span>{text.isTooLong ? `${shown}. Download the file to see the rest.` : shown}</span>
      ) : (
        <span>
          <span className={styles.failed}>Failed to load file content</span> {reasonOf(text.error)}
        </span>
      )}
      {text.isTooLong ? (
        <Button variant="default" size={size} onClick={() => save(item)}>
          Download
        </Button>
      ) : (
        <Button variant="default" size={size} onClick={text.readOn} disabled={text.isLoading}>
          {text.error === null ? 'Show more' : 'Retry'}
        </Button>
      )}
    </div>
  )
}
