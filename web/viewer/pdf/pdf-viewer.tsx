/** A PDF on the stage, rendered by pdf.js; a chunk of its own. */
import 'react-pdf/dist/Page/AnnotationLayer.css'
import 'react-pdf/dist/Page/TextLayer.css'
import { useMemo, useRef, useState } from 'react'
import { Document, PasswordResponses, type pdfjs } from 'react-pdf'
import { previewUrl } from '../preview-url.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { PasswordForm } from './password-form.tsx'
import { PdfFailure } from './pdf-failure.tsx'
import { type PageTarget, PdfPages } from './pdf-pages.tsx'
import { PdfPrint } from './pdf-print.tsx'
import { isReadWhole, pdfImages, pdfOptions } from './pdf-source.ts'
import styles from './pdf-viewer.module.css'
import { PdfWaiting } from './pdf-waiting.tsx'
import { usePageSizes } from './use-page-sizes.ts'

interface PdfViewerProps {
  item: ViewedFile
  /** Called when the file cannot be loaded or is no PDF. */
  onFail: () => void
}

/** A question for the document's password. */
interface Question {
  isWrong: boolean
  answer: (password: string) => void
}

export function PdfViewer({ item, onFail }: PdfViewerProps) {
  const url = previewUrl(item)
  const file = useMemo(() => ({ url, withCredentials: true }), [url])
  const [pdf, setPdf] = useState<pdfjs.PDFDocumentProxy | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [question, setQuestion] = useState<Question | null>(null)
  /** Counts the questions, so that each gets a new form. */
  const asked = useRef(0)
  const target: PageTarget = useRef(null)
  const fail = (problem: Error) => {
    setError(problem)
    onFail()
  }
  if (error !== null) return <PdfFailure item={item} error={error} />
  return (
    <>
      {question && <PasswordForm key={asked.current} isWrong={question.isWrong} onSubmit={question.answer} />}
      <Document
        file={file}
        options={pdfOptions(item.size)}
        className={styles.document}
        data-hidden={question !== null || undefined}
        loading={<PdfWaiting />}
        error=""
        imageResourcesPath={pdfImages}
        externalLinkTarget="_blank"
        externalLinkRel="noopener noreferrer nofollow"
        onItemClick={({ pageNumber }) => target.current?.(pageNumber)}
        onPassword={(answer, reason) => {
          asked.current++
          setQuestion({ answer, isWrong: reason === PasswordResponses.INCORRECT_PASSWORD })
        }}
        onLoadSuccess={document => {
          setQuestion(null)
          setPdf(document)
        }}
        onLoadError={fail}
        onSourceError={fail}
      >
        {pdf && <Loaded item={item} pdf={pdf} target={target} onFail={fail} />}
      </Document>
    </>
  )
}

interface LoadedProps {
  item: ViewedFile
  pdf: pdfjs.PDFDocumentProxy
  target: PageTarget
  onFail: (error: Error) => void
}

function Loaded({ item, pdf, target, onFail }: LoadedProps) {
  const { sizes, note } = usePageSizes(pdf, onFail)
  return sizes === null ? (
    <PdfWaiting />
  ) : (
    <>
      <PdfPages
        name={item.name}
        pdf={pdf}
        sizes={sizes}
        isWhole={isReadWhole(item.size)}
        onRead={note}
        target={target}
      />
      <PdfPrint item={item} pdf={pdf} />
    </>
  )
}
