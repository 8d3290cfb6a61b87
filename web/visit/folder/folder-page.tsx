/** A link on a folder: its list, what is selected in it, its preview and its downloads. */
import { Button } from '@mantine/core'
import { IconDownload, IconUpload } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { LinkInfo } from '../../../src/api/visits.ts'
import { reasonOf } from '../../lib/server/reason-of.ts'
import { MissingDrawing } from '../../ui/drawing.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { SkeletonGrid } from '../../ui/skeleton-grid.tsx'
import { SkeletonRows } from '../../ui/skeleton-rows.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { saveItem, saveWhole } from '../downloads.ts'
import { Facts } from '../facts.tsx'
import { BottomBar, Head } from '../head.tsx'
import { goTo, usePlace } from '../place.ts'
import { Preview } from '../preview/lazy-preview.tsx'
import { useTitle } from '../use-title.ts'
import { FolderItems } from './folder-items.tsx'
import styles from './folder-page.module.css'
import { openListing, retryListing, useListing } from './listing.ts'
import type { Sorting } from './sorting.ts'
import { Trail } from './trail.tsx'
import { firstView, type View } from './view.ts'

interface FolderPageProps {
  info: LinkInfo
  /** Undefined where nothing may be uploaded. */
  onUpload: (() => void) | undefined
}

export function FolderPage({ info, onUpload }: FolderPageProps) {
  const { folder, file } = usePlace()
  const [sorting, setSorting] = useState<Sorting>({ sort: 'name', order: 'asc' })
  const [chosenView, setView] = useState<View | null>(null)
  const isPhone = usePhone()
  const { listing, isLoading, error } = useListing()
  const { sort, order } = sorting
  useEffect(() => void openListing({ folder, sort, order }), [folder, sort, order])

  // Another order keeps the old one on screen until it is there; another folder does not.
  const shown = listing?.query.folder === folder ? listing : null
  const current = shown?.trail.at(-1)
  const view = chosenView ?? (listing === null ? 'list' : firstView(listing))
  const isSlow = useDelayed(shown === null && isLoading, 150)
  useTitle(current?.name ?? info.name)
  const saveFolder = () =>
    folder === null
      ? saveWhole(`${info.name}.zip`)
      : saveItem({ id: folder, name: current?.name ?? info.name, is_directory: true })
  const size = isPhone ? 'lg' : 'sm'
  const iconSize = isPhone ? 20 : 16
  const buttons = (
    <>
      {onUpload && (
        <Button
          variant="default"
          size={size}
          leftSection={<IconUpload size={iconSize} stroke={1.75} aria-hidden />}
          onClick={onUpload}
        >
          {isPhone ? 'Upload' : 'Upload files'}
        </Button>
      )}
      {(shown === null || shown.total > 0) && (
        <Button
          size={size}
          leftSection={<IconDownload size={iconSize} stroke={1.75} aria-hidden />}
          onClick={saveFolder}
          disabled={shown === null}
        >
          Download all
        </Button>
      )}
    </>
  )
  const onSort = (next: Sorting) => {
    // Other files may come first then: the view stays.
    setView(view)
    setSorting(next)
  }
  const settings = { view, onView: setView, sorting, onSort }
  return (
    <>
      <Head name={<Trail root={info.name} trail={shown?.trail ?? []} />} facts={<Facts info={info} />}>
        {!isPhone && buttons}
      </Head>
      {error !== null && shown !== null && (
        <ErrorStrip
          title="Failed to load the list"
          reason={reasonOf(error)}
          onRetry={retryListing}
          onDismiss={() => useListing.setState({ error: null })}
        />
      )}
      {shown !== null && shown.total > 0 && (
        <FolderItems key={folder} listing={shown} settings={settings} buttons={<BottomBar>{buttons}</BottomBar>} />
      )}
      {shown?.total === 0 && (
        <>
          <EmptyState
            drawing={<MissingDrawing />}
            title="This folder is empty"
            sentence={onUpload ? 'You can upload files into it.' : 'There is nothing to see here yet.'}
          />
          {isPhone && onUpload && <BottomBar>{buttons}</BottomBar>}
        </>
      )}
      {shown === null && isSlow && (
        <div className={styles.waiting}>{view === 'grid' ? <SkeletonGrid /> : <SkeletonRows />}</div>
      )}
      {shown === null && error !== null && <Failure error={error} isRoot={folder === null} />}
      {file !== null && <Preview id={file} listing={shown} />}
    </>
  )
}

/** Replaces a folder that could not be loaded. */
function Failure({ error, isRoot }: { error: unknown; isRoot: boolean }) {
  const isGone = error instanceof ApiError && error.status === 404
  return (
    <div role="alert" className={styles.failure}>
      <EmptyState
        drawing={<MissingDrawing />}
        title={isGone ? 'This folder is not here any more' : 'Failed to load the list'}
        sentence={isGone ? 'It was moved or deleted.' : reasonOf(error)}
      >
        {!isGone && (
          <Button variant="default" onClick={retryListing}>
            Retry
          </Button>
        )}
        {!isRoot && (
          <Button variant="default" onClick={() => goTo({ folder: null, file: null })}>
            Go to the first folder
          </Button>
        )}
      </EmptyState>
    </div>
  )
}
