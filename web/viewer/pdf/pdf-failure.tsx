/** Replaces a document that could not be loaded. */
import { Button } from '@mantine/core'
import { usePhone } from '../../ui/use-phone.ts'
import type { ViewedFile } from '../viewed-file.ts'
import { ViewerNotice } from '../viewer-notice.tsx'

/** The explanation for people, by the name of pdf.js's error. */
function explain({ name, message }: { name: string; message: string }): string {
  if (name === 'InvalidPDFException') return 'The file might be corrupted.'
  const isUnreachable = /worker|fetch|network|load failed|dynamically imported/i.test(message)
  if (isUnreachable || name === 'ResponseException') return 'The PDF worker failed to load (network or CORS).'
  return 'The file might be unsupported or corrupted.'
}

export function PdfFailure({ item, error: thrown }: { item: ViewedFile; error: unknown }) {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  const size = usePhone() ? 'lg' : 'sm'
  return (
    <ViewerNotice
      item={item}
      title="PDF Loading Error"
      sentence={`Failed to load PDF. ${explain(error)}`}
      cause={error.message}
      download="Download File"
      isFailure
    >
      {/* The browser remembers a failed worker or chunk, so reload the page; the address opens the file again. */}
      <Button variant="default" size={size} onClick={() => location.reload()}>
        Retry
      </Button>
    </ViewerNotice>
  )
}
