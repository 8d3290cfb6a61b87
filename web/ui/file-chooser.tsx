/** The browser's own dialog for choosing files, opened from any button. */
import { type ReactNode, useRef } from 'react'

interface FileChooser {
  /** Must be rendered somewhere beside the button. */
  input: ReactNode
  open: () => void
}

export function useFileChooser(onChoose: (files: File[]) => void): FileChooser {
  const ref = useRef<HTMLInputElement>(null)
  const input = (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      aria-label="Choose files to upload"
      onChange={({ currentTarget }) => {
        onChoose([...(currentTarget.files ?? [])])
        // Without this, choosing the same file again would be no change.
        currentTarget.value = ''
      }}
    />
  )
  return { input, open: () => ref.current?.click() }
}
