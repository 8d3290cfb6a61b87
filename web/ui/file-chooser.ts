/** The browser's dialog for choosing files, or a folder with its contents, and on a phone its camera. */
import { type Picked, pickFiles } from './picked-files.ts'

/** Opens the dialog. `onChosen` is called even if the button that opened it is gone by then. */
export function openFileChooser(
  onChosen: (picked: Picked) => void,
  what: 'files' | 'folder' | 'camera' = 'files',
): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.webkitdirectory = what === 'folder'
  if (what === 'camera') {
    input.accept = 'image/*'
    input.capture = 'environment'
  }
  input.hidden = true
  input.addEventListener('change', () => {
    input.remove()
    onChosen(pickFiles(input.files ?? []))
  })
  input.addEventListener('cancel', () => input.remove())
  // Attach it to the page: some browsers drop a detached input before anything is chosen.
  document.body.append(input)
  input.click()
}
