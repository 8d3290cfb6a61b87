/** The page of a link's visitor: what it shows follows from what the server says of the link. */
import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { LinkInfo } from '../../src/api/visits.ts'
import { reasonOf } from '../lib/server/reason-of.ts'
import { MissingDrawing } from '../ui/drawing.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useDelayed } from '../ui/use-delayed.ts'
import { FilePage } from './file-page.tsx'
import { FolderPage } from './folder/folder-page.tsx'
import { Frame } from './frame.tsx'
import { retryLink, useLink } from './link.ts'
import { useOwnAddress } from './own-access.ts'
import { UnlockForm } from './unlock-form.tsx'
import { UploadPage } from './upload/lazy-upload.ts'
import { useTitle } from './use-title.ts'
import styles from './visit-page.module.css'

export function VisitPage() {
  const { state } = useLink()
  const info = state.kind === 'open' ? state.info : null
  const ownAddress = useOwnAddress(info?.item_id ?? null, info?.kind === 'file')
  return (
    <Frame ownAddress={ownAddress}>
      {state.kind === 'loading' && <Loading />}
      {state.kind === 'dead' && <Dead reason={state.reason} />}
      {state.kind === 'failed' && (
        <Notice title="This link could not be opened" sentence={reasonOf(state.error)} onRetry={retryLink} />
      )}
      {state.kind === 'locked' && <UnlockForm />}
      {info !== null && <Open info={info} />}
    </Frame>
  )
}

function Loading() {
  return (
    <p className={styles.loading} role="status">
      {useDelayed(true, 150) && 'Loading…'}
    </p>
  )
}

const Dead = ({ reason }: { reason: string }) => (
  <Notice title={reason} sentence="Ask whoever sent it to you for a new one." />
)

interface NoticeProps {
  title: string
  sentence: string
  onRetry?: () => void
}

function Notice({ title, sentence, onRetry }: NoticeProps) {
  useTitle('Link')
  return (
    <EmptyState drawing={<MissingDrawing />} title={title} sentence={sentence} isMain>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          Retry
        </Button>
      )}
    </EmptyState>
  )
}

function Open({ info }: { info: LinkInfo }) {
  const [isUploading, setUploading] = useState(false)
  // The chunk of the form that the page is about to show.
  useEffect(() => {
    if (info.level !== 'view') UploadPage.fetch()
  }, [info.level])
  if (info.kind === 'file') return <FilePage info={info} />
  if (info.level === 'upload' || isUploading) {
    return <UploadPage info={info} onBack={info.level === 'upload' ? undefined : () => setUploading(false)} />
  }
  return <FolderPage info={info} onUpload={info.level === 'both' ? () => setUploading(true) : undefined} />
}
