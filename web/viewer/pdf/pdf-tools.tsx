/** The controls of a document: page, zoom, rotation, reset. */
import { IconRestore, IconRotateClockwise } from '@tabler/icons-react'
import { ToolButton } from '../tool-button.tsx'
import { ZoomTools } from '../zoom-tools.tsx'
import { PageNumber } from './page-number.tsx'
import styles from './pdf-tools.module.css'
import { nextZoom } from './pdf-zoom.ts'

interface PdfToolsProps {
  page: number
  count: number
  zoom: number
  onGo: (page: number) => void
  onZoom: (zoom: number) => void
  onRotate: () => void
  onReset: () => void
}

export function PdfTools({ page, count, zoom, onGo, onZoom, onRotate, onReset }: PdfToolsProps) {
  const step = (direction: 1 | -1) => {
    const next = nextZoom(zoom, direction)
    return next === undefined ? undefined : () => onZoom(next)
  }
  return (
    <>
      <PageNumber page={page} count={count} onGo={onGo} />
      <span className={styles.divider} />
      <ZoomTools zoom={zoom} onOut={step(-1)} onIn={step(1)} />
      <span className={styles.divider} />
      <ToolButton label="Rotate" icon={IconRotateClockwise} onClick={onRotate} />
      <ToolButton label="Reset view" icon={IconRestore} onClick={onReset} />
    </>
  )
}
