/** Shown in a folder without items. */

import { Button } from '@mantine/core'
import { IconFolderPlus, IconUpload } from '@tabler/icons-react'
import { dropBoxWords } from '../../../src/api/share-words.ts'
import { heldWords } from '../../items/counts.ts'
import { FolderDrawing } from '../../ui/drawing.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'

interface EmptyFolderProps {
  /** Whether the user sees only the own hand-ins here. */
  isDropBox: boolean
  /** How many files of others wait here for approval; null if the user is not told. */
  held: number | null
  /** Absent when the user may not upload. */
  onUpload: (() => void) | undefined
  onNewFolder: (() => void) | undefined
}

function wordsFor({ isDropBox, held, onUpload, onNewFolder }: EmptyFolderProps): { title: string; sentence: string } {
  if (isDropBox) return { title: 'Nothing handed in yet', sentence: dropBoxWords }
  if (held !== null && held > 0) {
    const sentence = `${held === 1 ? 'It appears' : 'They appear'} here once a reviewer has approved ${held === 1 ? 'it' : 'them'}`
    return { title: heldWords(held), sentence }
  }
  return { title: 'This folder is empty', sentence: sentenceFor(onUpload !== undefined, onNewFolder !== undefined) }
}

function sentenceFor(mayUpload: boolean, mayCreate: boolean): string {
  if (mayUpload) return mayCreate ? 'Upload files or create folders to get started' : 'Upload files to get started'
  return mayCreate ? 'Create folders to get started' : 'Nothing has been put here yet'
}

export function EmptyFolder(props: EmptyFolderProps) {
  const { onUpload, onNewFolder } = props
  return (
    <EmptyState drawing={<FolderDrawing />} {...wordsFor(props)}>
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
