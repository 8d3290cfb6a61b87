/** Shown in a folder without items. */

import { Button } from '@mantine/core'
import { IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { dropBoxWords } from '../../../src/api/share-words.ts'
import { FolderDrawing } from '../../ui/drawing.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

interface EmptyFolderProps {
  /** Whether the user sees only the own hand-ins here. */
  isDropBox: boolean
  /** Absent when the user may not upload. */
  onUpload: (() => void) | undefined
  onNewFolder: (() => void) | undefined
}

function sentenceFor(mayUpload: boolean, mayCreate: boolean): string {
  if (mayUpload) return mayCreate ? 'Upload files or create folders to get started' : 'Upload files to get started'
  return mayCreate ? 'Create folders to get started' : 'Nothing has been put here yet'
}

export function EmptyFolder({ isDropBox, onUpload, onNewFolder }: EmptyFolderProps) {
  return (
    <EmptyState
      drawing={<FolderDrawing />}
      title={isDropBox ? 'Nothing handed in yet' : 'This folder is empty'}
      sentence={isDropBox ? dropBoxWords : sentenceFor(onUpload !== undefined, onNewFolder !== undefined)}
    >
      {onUpload && (
        <Button variant="default" leftSection={<IconUpload size={16} stroke={1.75} aria-hidden />} onClick={onUpload}>
          Upload
        </Button>
      )}
      {onNewFolder && (
        <Button
          variant="default"
          leftSection={<IconFolderPlus size={16} stroke={1.75} aria-hidden />}
          onClick={onNewFolder}
        >
          New Folder
        </Button>
      )}
    </EmptyState>
  )
}
