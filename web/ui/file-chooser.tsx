/** The browser's own dialog for choosing files, or a folder with all in it, opened from any button. */
import { type ReactNode, useRef } from 'react'
import { type Picked, pickFiles } from './picked-files.ts'

interface FileChooser {
  /** Must be rendered somewhere beside the button. */
  input: ReactNode
  open: () => void
}

export function useFileChooser(onChosen: (picked: Picked) => void, what: 'files' | 'folder' = 'files'): FileChooser {
  const ref = useRef<HTMLInputElement | null>(null)
  const input = (
    <input
      ref={element => {
        ref.current = element
        // React knows no attribute for it.
        if (element !== null) element.webkitdirectory = what === 'folder'
      }}
      type="file"
      multiple
      hidden
      aria-label={what === 'folder' ? 'Choose a folder to upload' : 'Choose files to upload'}
      onChange={({ currentTarget }) => {
        onChosen(pickFiles(currentTarget.files ?? []))
        // Without this, choosing the same file again would be no change.
        currentTarget.value = ''
      }}
    />
  )
  return { input, open: () => ref.current?.click() }
}
