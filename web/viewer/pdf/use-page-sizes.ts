/** The sizes of a document's pages: assumed equal to the first page until a page is loaded. */
import { useCallback, useEffect, useState } from 'react'
import type { pdfjs } from 'react-pdf'
import type { PageSize } from './page-layout.ts'

interface PageSizes {
  /** Null until the first page is known. */
  sizes: readonly PageSize[] | null
  /** Records the size of a loaded page. */
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
