/** One page of a document: canvas, selectable text and links. */
import { useEffect, useRef, useState } from 'react'
import { Page, type PageProps, type pdfjs } from 'react-pdf'
import type { PageSize } from './page-layout.ts'
import styles from './pdf-page.module.css'

interface PdfPageProps {
  pdf: pdfjs.PDFDocumentProxy
  /** From 1. */
  number: number
  box: PageSize & { top: number }
  /** Pixels per point. */
  scale: number
  /** Degrees, in addition to the page's own rotation. */
  rotation: number
  /** Whether it is in view or close to it. Other pages render only their text, for the browser's search. */
  isNear: boolean
  onRead: (page: pdfjs.PDFPageProxy) => void
}

/** The most pixels of a canvas; browsers refuse larger ones, or run out of memory. */
const mostPixels = 2 ** 24

const sharpness = ({ width, height }: PageSize): number =>
  Math.min(window.devicePixelRatio, Math.sqrt(mostPixels / (width * height)))

const safeProtocols = ['http:', 'https:', 'mailto:']
const isSafe = (url: unknown): boolean =>
  typeof url !== 'string' || (URL.canParse(url) && safeProtocols.includes(new URL(url).protocol))

/** Removes links other than those to web pages, e-mail and other pages of the document. */
const withoutUnsafeLinks: PageProps['filterAnnotations'] = ({ annotations }) =>
  annotations.filter(({ url }: { url?: unknown }) => isSafe(url))

/** Names the links for screen readers, because pdf.js does not. */
function nameLinks(layer: HTMLElement): void {
  for (const link of layer.querySelectorAll('.annotationLayer a:not([aria-label])')) {
    const url = link.getAttribute('href') ?? ''
    link.setAttribute('aria-label', url === '' || url.startsWith('#') ? 'To another page' : url)
  }
}

export function PdfPage({ pdf, number, box, scale, rotation, isNear, onRead }: PdfPageProps) {
  const [page, setPage] = useState<pdfjs.PDFPageProxy | null>(null)
  const [isBroken, setBroken] = useState(false)
  const layer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let isWanted = true
    pdf.getPage(number).then(
      found => {
        if (!isWanted) return
        setPage(found)
        onRead(found)
      },
      () => isWanted && setBroken(true),
    )
    return () => {
      isWanted = false
    }
  }, [pdf, number, onRead])
  useEffect(() => {
    const element = layer.current
    if (element === null) return
    // pdf.js reports the links as rendered too early, so watch for them.
    const observer = new MutationObserver(() => nameLinks(element))
    observer.observe(element, { childList: true, subtree: true })
    return () => observer.disconnect()
  }, [])
  const { top, ...size } = box
  return (
    <div ref={layer} className={styles.page} style={{ ...size, top, marginLeft: -size.width / 2 }}>
      {isBroken && <p className={styles.broken}>This page could not be read</p>}
      {page && (
        <Page
          pageNumber={number}
          scale={scale}
          rotate={(page.rotate + rotation) % 360}
          devicePixelRatio={sharpness(size)}
          loading=""
          error={<p className={styles.broken}>This page could not be read</p>}
          renderMode={isNear ? 'canvas' : 'none'}
          renderAnnotationLayer={isNear}
          filterAnnotations={withoutUnsafeLinks}
        />
      )}
    </div>
  )
}
