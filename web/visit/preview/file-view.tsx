/** The file of a link on the page itself. */
import { MissingDrawing } from '../../ui/drawing.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ToolsPlace } from '../../viewer/stage-tools.tsx'
import styles from '../../viewer/viewer.module.css'
import { Stage } from './stage.tsx'
import type { FoundFile } from './use-file.ts'

interface FileViewProps {
  found: FoundFile
  /** Where the controls of the file's type belong; null until it is there. */
  place: HTMLElement | null
}

export function FileView({ found: { item, isGone }, place }: FileViewProps) {
  if (isGone) {
    return <EmptyState drawing={<MissingDrawing />} title="Failed to load the file" sentence="Try to download it." />
  }
  if (item === undefined) return null
  return (
    <div className={styles.middle} data-viewer>
      <div className={styles.stage} tabIndex={-1} data-viewer-stage>
        <ToolsPlace value={place}>
          <Stage item={item} isPage />
        </ToolsPlace>
      </div>
    </div>
  )
}
