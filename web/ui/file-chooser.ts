/** The browser's own dialog for choosing files, or a folder with all in it. */
import { type Picked, pickFiles } from './picked-files.ts'

/** Opens the dialog. What is chosen is told even if the button that opened it has gone by then. */
export function openFileChooser(onChosen: (picked: Picked) => void, what: 'files' | 'folder' = 'files'): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.multiple = true
  input.webkitdirectory = what === 'folder'
  input.hidden = true
  input.addEventListener('change', () => {
    input.remove()
    onChosen(pickFiles(input.files ?? []))
  })
  input.addEventListener('cancel', () => input.remove())
  // In the page, for some browsers forget an input that is nowhere before anything is chosen.
  document.body.append(input)
  input.click()
}
