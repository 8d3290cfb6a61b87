/** One file on a page of its own, with an address that can be shared. */

import { Button, VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { ApiError } from '../../../src/api/client.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { isReviewed } from '../../../src/api/rights.ts'
import { locationRoute } from '../../items/show-in-folder.ts'
import { itemQuery } from '../../lib/data/metadata.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { MissingDrawing } from '../../ui/drawing.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { useViewerKeys } from '../../viewer/use-viewer-keys.ts'
import { Viewer } from '../../viewer/viewer.tsx'
import { ViewerWaiting } from '../../viewer/viewer-waiting.tsx'
import { whyGone } from '../../viewer/why-missing.ts'
import styles from './view-screen.module.css'

export function ViewScreen() {
  const navigate = useNavigate()
  const { fileId = '' } = useParams({ strict: false })
  const isId = /^[1-9]\d{0,15}$/.test(fileId)
  const { data: file, error, refetch } = useQuery({ ...itemQuery(Number(fileId)), enabled: isId })
  const isMissing = !isId || file?.is_directory || (error instanceof ApiError && error.status === 404)
  if (file && !file.is_directory) return <ShownFile file={file} />
  return (
    <main className={styles.screen}>
      <title>View · filestore</title>
      <VisuallyHidden component="h1">View</VisuallyHidden>
      {!file && !error && isId && <ViewerWaiting onClose={() => void navigate({ to: '/files/{-$folderId}' })} />}
      {isMissing && (
        <EmptyState drawing={<MissingDrawing />} title="This file is not here" sentence={whyGone}>
          <BackToFiles />
        </EmptyState>
      )}
      {error && !isMissing && (
        <EmptyState drawing={<MissingDrawing />} title="Failed to load file" sentence={reasonOf(error)}>
          <Button variant="default" onClick={() => void refetch()}>
            Retry
          </Button>
          <BackToFiles />
        </EmptyState>
      )}
    </main>
  )
}

const BackToFiles = () => (
  <Button variant="default" renderRoot={props => <Link to="/files/{-$folderId}" {...props} />}>
    Back to Files
  </Button>
)

function ShownFile({ file }: { file: FileItem }) {
  const navigate = useNavigate()
  // A reviewer came from the queue, and cannot open the owner's folder.
  const close = () => void navigate(isReviewed(file) ? { to: '/validation' } : locationRoute(file))
  /** An approved file of another user is no longer the reviewer's to see. */
  const leave = () => isReviewed(file) && close()
  useViewerKeys({ Escape: close })
  return (
    <main className={styles.screen} data-viewer>
      <title>{`${file.name} · filestore`}</title>
      <Viewer item={file} onClose={close} onDecided={leave} isPage />
    </main>
  )
}
