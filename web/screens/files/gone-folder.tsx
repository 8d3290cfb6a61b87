/** Shown for a folder that does not exist for the user: it may be deleted, or its share may have ended meanwhile. */
import { Button, VisuallyHidden } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Place } from '../../../src/api/items.ts'
import { listOf } from '../../items/place-routes.ts'
import { LockedDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Sheet } from '../../ui/sheet.tsx'

/** `place` is where the folder was; null for the own tree, and if that is not known. */
export function GoneFolder({ place }: { place: Place | null }) {
  const list = place === null ? null : listOf(place)
  return (
    <Sheet title="Folder not found">
      <VisuallyHidden component="h1">Folder not found</VisuallyHidden>
      <EmptyState
        drawing={<LockedDrawing />}
        title="This folder is not here any more"
        sentence="It was deleted, or it is no longer shared with you"
      >
        {list !== null && (
          <Button variant="default" component={Link} to={list.to}>
            Go to {list.label}
          </Button>
        )}
        <Button variant="default" component={Link} to="/files">
          Go to Home
        </Button>
      </EmptyState>
    </Sheet>
  )
}
