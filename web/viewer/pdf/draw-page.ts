/** Draws a page of a document for a printer. */
import type { pdfjs } from 'react-pdf'
import type { PageSize } from './page-layout.ts'

/** A drawn page; its size is in points. */
export interface DrawnPage extends PageSize {
  /** Of a picture in the browser's memory; revoke it when it is no longer needed. */
  url: string
}

/** The dots per inch: text is sharp, and a page takes some 100 kB. */
const sharpness = 150
/** The most pixels of a picture; a poster is drawn less sharply. */
const mostPixels = 2 ** 24

export async function drawPage(pdf: pdfjs.PDFDocumentProxy, number: number): Promise<DrawnPage> {
  const page = await pdf.getPage(number)
  const { width, height } = page.getViewport({ scale: 1 })
  const scale = Math.min(sharpness / 72, Math.sqrt(mostPixels / (width * height)))
  const canvas = document.createElement('canvas')
  canvas.width = Math.floor(width * scale)
  canvas.height = Math.floor(height * scale)
  await page.render({ canvas, viewport: page.getViewport({ scale }), intent: 'print' }).promise
  const picture = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve))
  page.cleanup()
  // Browsers free the memory of a canvas late, unless it has no size.
  canvas.width = 0
  if (picture === null) throw new Error(`Page ${number} could not be drawn`)
  return { url: URL.createObjectURL(picture), width, height }
}
