/** Prints a document: draws all its pages first, since the stage holds only those in view. */
import { useEffect, useRef, useState } from 'react'
import type { pdfjs } from 'react-pdf'
import { create } from 'zustand'
import { log } from '../../lib/server/log-failure.ts'
import { showError, showToast } from '../../ui/toast.tsx'
import { type DrawnPage, drawPage } from './draw-page.ts'

/** The pages of more would fill the memory. */
export const mostPages = 500

/** How many pages are drawn, for the message. */
const useDrawn = create(() => ({ drawn: 0 }))

function Progress({ count }: { count: number }) {
  const { drawn } = useDrawn()
  return (
    <>
      Preparing page {Math.min(count, drawn + 1)} of {count} for printing…
    </>
  )
}

interface PdfPrint {
  /** All pages once they are drawn; empty before. */
  pages: readonly DrawnPage[]
  print: () => void
}

const release = (pages: readonly DrawnPage[]): void => {
  for (const { url } of pages) URL.revokeObjectURL(url)
}

export function usePdfPrint(pdf: pdfjs.PDFDocumentProxy): PdfPrint {
  const [pages, setPages] = useState<readonly DrawnPage[]>([])
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  useEffect(() => {
    if (pages.length === 0) return
    const end = () => setPages([])
    addEventListener('afterprint', end)
    return () => {
      removeEventListener('afterprint', end)
      release(pages)
    }
  }, [pages])

  const print = async () => {
    if (running.current !== null) return
    if (pdf.numPages > mostPages) {
      return showError(`More than ${mostPages} pages cannot be printed here. Download the file to print it.`)
    }
    const controller = new AbortController()
    running.current = controller
    const hide = showToast({
      tone: 'loading',
      message: <Progress count={pdf.numPages} />,
      action: { label: 'Cancel', run: () => controller.abort() },
    })
    try {
      setPages(await drawPages(pdf, controller.signal))
    } catch (error) {
      if (!controller.signal.aborted) {
        log('Failed to prepare a document for printing', error)
        showError('Failed to prepare the document for printing')
      }
    }
    hide()
    running.current = null
  }
  return { pages, print: () => void print() }
}

/** Draws the pages in turn. Throws when one cannot be drawn, and when the signal ends it. */
async function drawPages(pdf: pdfjs.PDFDocumentProxy, signal: AbortSignal): Promise<DrawnPage[]> {
  const pages: DrawnPage[] = []
  try {
    for (let number = 1; number <= pdf.numPages; number++) {
      useDrawn.setState({ drawn: pages.length })
      pages.push(await drawPage(pdf, number))
      signal.throwIfAborted()
    }
  } catch (error) {
    release(pages)
    throw error
  }
  return pages
}
