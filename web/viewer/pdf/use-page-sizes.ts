/** How large the pages of a document are: all like the first one until they have been looked at. */
import { useCallback, useEffect, useState } from 'react'
import type { pdfjs } from 'react-pdf'
import type { PageSize } from './page-layout.ts'

interface PageSizes {
  /** Null until the first page is known. */
  sizes: readonly PageSize[] | null
  /** Takes note of a page that has been read. */
  note: (page: pdfjs.PDFPageProxy) => void
}

export function usePageSizes(pdf: pdfjs.PDFDocumentProxy, onError: (error: Error) => void): PageSizes {
  const [sizes, setSizes] = useState<readonly PageSize[] | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once for each document
  useEffect(() => {
    pdf.getPage(1).then(first => {
      const { width, height } = first.getViewport({ scale: 1 })
      setSizes(Array.from({ length: pdf.numPages }, () => ({ width, height })))
    }, onError)
  }, [pdf])
  const note = useCallback((page: pdfjs.PDFPageProxy) => {
    const { width, height } = page.getViewport({ scale: 1 })
    const at = page.pageNumber - 1
    setSizes(now => {
      const before = now?.[at]
      return !now || (before?.width === width && before.height === height) ? now : now.with(at, { width, height })
    })
  }, [])
  return { sizes, note }
}
