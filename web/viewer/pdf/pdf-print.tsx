/** A document on paper, with the button that prints it. */
import { useRef } from 'react'
import type { pdfjs } from 'react-pdf'
import { styleNonce } from '../../lib/server/config.ts'
import { PrintedHead } from '../../ui/print/printed-head.tsx'
import { Printout } from '../../ui/print/printout.tsx'
import { PrintButton } from '../print-button.tsx'
import { StageTools } from '../stage-tools.tsx'
import type { ViewedFile } from '../viewed-file.ts'
import type { DrawnPage } from './draw-page.ts'
import styles from './pdf-print.module.css'
import { usePdfPrint } from './use-pdf-print.tsx'

export function PdfPrint({ item, pdf }: { item: ViewedFile; pdf: pdfjs.PDFDocumentProxy }) {
  const { pages, print } = usePdfPrint(pdf)
  return (
    <>
      <StageTools>
        <PrintButton onPrint={print} />
      </StageTools>
      <Printout isOver isReady={pages.length > 0} onPrintKey={print}>
        {() =>
          pages.length > 0 ? (
            <Pages pages={pages} />
          ) : (
            <PrintedHead
              title={item.name}
              note="To print this document, press Ctrl+P in filestore itself, or choose Print above its pages."
            />
          )
        }
      </Printout>
    </>
  )
}

const sizeOf = ({ width, height }: DrawnPage): string => `${width}pt ${height}pt`

/** Opens the print dialog as soon as all pictures are loaded. Each page gets a sheet of its own size. */
function Pages({ pages }: { pages: readonly DrawnPage[] }) {
  const loaded = useRef(0)
  const sizes = [...new Set(pages.map(sizeOf))]
  const nameOf = (page: DrawnPage) => `sheet-${sizes.indexOf(sizeOf(page))}`
  const note = () => {
    loaded.current++
    if (loaded.current === pages.length) window.print()
  }
  return (
    <>
      <style nonce={styleNonce}>
        {sizes.map((size, index) => `@page sheet-${index} { size: ${size}; margin: 0 }`).join('\n')}
      </style>
      {pages.map((page, index) => (
        <div key={page.url} className={styles.sheet} style={{ page: nameOf(page) }}>
          <img
            src={page.url}
            alt={`Page ${index + 1}`}
            className={styles.page}
            // Half a point less, so that rounding never begins another sheet.
            style={{ width: `${page.width - 0.5}pt` }}
            onLoad={note}
            onError={note}
          />
        </div>
      ))}
    </>
  )
}
