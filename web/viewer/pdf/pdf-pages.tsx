/** The pages of a document, windowed: only those close to the view are rendered. */
import { useElementSize, useMergedRef } from '@mantine/hooks'
import { type RefObject, useMemo, useRef, useState } from 'react'
import type { pdfjs } from 'react-pdf'
import { StageTools } from '../stage-tools.tsx'
import { useStageFocus } from '../use-stage-focus.ts'
import { useViewerKeys } from '../use-viewer-keys.ts'
import { layOutPages, type PageSize, pageGap } from './page-layout.ts'
import { PdfPage } from './pdf-page.tsx'
import styles from './pdf-pages.module.css'
import { PdfTools } from './pdf-tools.tsx'
import { clampZoom, nextZoom } from './pdf-zoom.ts'
import { useGradualCount } from './use-gradual-count.ts'
import { usePageScroll } from './use-page-scroll.ts'
import { usePinch } from './use-pinch.ts'

/** Goes to a page; null until the pages are rendered. */
export type PageTarget = RefObject<((page: number) => void) | null>

interface PdfPagesProps {
  name: string
  pdf: pdfjs.PDFDocumentProxy
  sizes: readonly PageSize[]
  /** Whether the whole file is loaded anyway. */
  isWhole: boolean
  onRead: (page: pdfjs.PDFPageProxy) => void
  /** Handles the document's internal links. */
  target: PageTarget
}

/** Pixels per point at 100 %: the size on paper, or less in a narrower window. */
const paperScale = 96 / 72

/** Up to this many pages, the text of all pages is rendered, so that the browser's search finds it. */
const mostSearchable = 60

interface View {
  zoom: number
  /** Degrees clockwise: 0, 90, 180 or 270. */
  rotation: number
}

const startView: View = { zoom: 1, rotation: 0 }

export function PdfPages({ name, pdf, sizes, isWhole, onRead, target }: PdfPagesProps) {
  const element = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { ref: measured, width, height } = useElementSize<HTMLDivElement>()
  const ref = useMergedRef(element, measured)
  const [{ zoom, rotation }, setView] = useState(startView)
  const first = sizes[0]
  const across = (rotation % 180 === 0 ? first?.width : first?.height) ?? 1
  const scale = zoom * Math.min(paperScale, Math.max(1, width - 2 * pageGap) / across)
  const layout = useMemo(() => layOutPages(sizes, scale, rotation), [sizes, scale, rotation])
  const { top, page, goTo, onScroll } = usePageScroll(element, layout)
  target.current = goTo
  const zoomTo = (next: number | undefined) => {
    if (next !== undefined) setView(now => ({ ...now, zoom: clampZoom(next) }))
  }
  const step = (direction: 1 | -1) => () => zoomTo(nextZoom(zoom, direction))
  useStageFocus(element)
  useViewerKeys({ '+': step(1), '=': step(1), '-': step(-1), '0': () => zoomTo(1) })
  usePinch({
    scroller: element,
    content,
    onPinch: factor => zoomTo(zoom * factor),
    onStep: direction => step(direction)(),
  })
  const searchable = useGradualCount(isWhole && sizes.length <= mostSearchable ? sizes.length : 0)
  const isNear = ({ top: start, height: length }: { top: number; height: number }) =>
    start < top + 2 * height && start + length > top - height
  return (
    <>
      <StageTools>
        <PdfTools
          page={page}
          count={sizes.length}
          zoom={zoom}
          onGo={goTo}
          onZoom={zoomTo}
          onRotate={() => setView(now => ({ ...now, rotation: (now.rotation + 90) % 360 }))}
          onReset={() => setView(startView)}
        />
      </StageTools>
      <section
        ref={ref}
        className={styles.scroller}
        aria-label={`Pages of ${name}`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        onScroll={onScroll}
      >
        <div ref={content} className={styles.pages} style={{ width: layout.width, height: layout.height }}>
          {width > 0 &&
            layout.pages.map(
              (box, index) =>
                (isNear(box) || index < searchable) && (
                  <PdfPage
                    // biome-ignore lint/suspicious/noArrayIndexKey: a page is its number
                    key={index}
                    pdf={pdf}
                    number={index + 1}
                    box={box}
                    scale={scale}
                    rotation={rotation}
                    isNear={isNear(box)}
                    onRead={onRead}
                  />
                ),
            )}
        </div>
      </section>
    </>
  )
}
