/** Zoom out, the zoom percentage, zoom in. */
import { IconMinus, IconPlus } from '@tabler/icons-react'
import { ToolButton } from './tool-button.tsx'
import styles from './zoom-tools.module.css'

interface ZoomToolsProps {
  /** 1 is 100 %; null until known. */
  zoom: number | null
  /** Undefined at the limit. */
  onOut: (() => void) | undefined
  onIn: (() => void) | undefined
}

export function ZoomTools({ zoom, onOut, onIn }: ZoomToolsProps) {
  return (
    <>
      <ToolButton label="Zoom out" icon={IconMinus} onClick={onOut} disabled={onOut === undefined} />
      <span className={styles.zoom} role="status" aria-label="Zoom">
        {zoom !== null && `${Math.round(zoom * 100)}%`}
      </span>
      <ToolButton label="Zoom in" icon={IconPlus} onClick={onIn} disabled={onIn === undefined} />
    </>
  )
}
