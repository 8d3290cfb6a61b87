/** Replaces a screen that failed to render. */
import { Button } from '@mantine/core'
import { MissingDrawing } from '../ui/drawing.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Sheet } from '../ui/sheet.tsx'

export function CrashScreen({ error }: { error: unknown }) {
  const sentence = error instanceof Error ? error.message : 'Something unexpected happened.'
  return (
    <Sheet title="Error">
      <EmptyState drawing={<MissingDrawing />} title="This page could not be shown" sentence={sentence}>
        <Button variant="default" onClick={() => window.location.reload()}>
          Reload
        </Button>
      </EmptyState>
    </Sheet>
  )
}
