/** The settings of pdf.js: where its worker, fonts and decoders are served, and how it reads a file. */
import { type DocumentProps, pdfjs } from 'react-pdf'
import { basePath } from '../../lib/server/config.ts'

const assets = new URL(`${basePath}assets/pdf-${pdfjs.version}/`, location.origin).href

pdfjs.GlobalWorkerOptions.workerSrc = `${assets}build/worker.mjs`

/** The icons of annotations. */
export const pdfImages = `${assets}images/`

const options = {
  cMapUrl: `${assets}cmaps/`,
  cMapPacked: true,
  standardFontDataUrl: `${assets}standard_fonts/`,
  // A system's Helvetica may be another font, with other letter widths.
  useSystemFonts: false,
  wasmUrl: `${assets}wasm/`,
  iccUrl: `${assets}iccs/`,
  // The page's content security policy forbids eval.
  isEvalSupported: false,
  enableXfa: false,
} satisfies DocumentProps['options']

/** From this size on a file is read in ranges, as far as it is viewed, and not as a whole. */
const rangedSize = 2 * 1024 ** 2

/** One constant object for each mode: a new object would load the document again. */
const ranged = { ...options, disableAutoFetch: true, disableStream: true, rangeChunkSize: 256 * 1024 }

export const isReadWhole = (size: number): boolean => size < rangedSize

export const pdfOptions = (size: number): DocumentProps['options'] => (isReadWhole(size) ? options : ranged)
