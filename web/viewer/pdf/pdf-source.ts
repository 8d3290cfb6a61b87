/** What pdf.js is given: where its worker, fonts and decoders are served, and how it may read a file. */
import { type DocumentProps, pdfjs } from 'react-pdf'
import { basePath } from '../../lib/server/config.ts'

const assets = new URL(`${basePath}assets/pdf-${pdfjs.version}/`, location.origin).href

pdfjs.GlobalWorkerOptions.workerSrc = `${assets}build/worker.mjs`

/** The icons of notes. */
export const pdfImages = `${assets}images/`

const options = {
  cMapUrl: `${assets}cmaps/`,
  cMapPacked: true,
  standardFontDataUrl: `${assets}standard_fonts/`,
  // What a system calls Helvetica may be anything, with letters of other widths.
  useSystemFonts: false,
  wasmUrl: `${assets}wasm/`,
  iccUrl: `${assets}iccs/`,
  // The page's content policy forbids what this would try.
  isEvalSupported: false,
  enableXfa: false,
} satisfies DocumentProps['options']

/** Bytes from which a file is read by ranges, as far as it is looked at, and no longer as a whole. */
const rangedSize = 2 * 1024 ** 2

/** One object for each way of reading: another object would load the document again. */
const ranged = { ...options, disableAutoFetch: true, disableStream: true, rangeChunkSize: 256 * 1024 }

export const isReadWhole = (size: number): boolean => size < rangedSize

export const pdfOptions = (size: number): DocumentProps['options'] => (isReadWhole(size) ? options : ranged)
