/** Puts text on the clipboard; what fails is logged and told quietly. */
import { logFailure } from '../server/log-failure.ts'

/** Whether the text is on the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await write(text)
    return true
  } catch (error) {
    logFailure('Failed to copy to the clipboard', error)
    return false
  }
}

/** Pages that came over plain HTTP have no clipboard, and elsewhere it may be refused: then in the older way. */
async function write(text: string): Promise<void> {
  if (navigator.clipboard === undefined) copySelected(text)
  else await navigator.clipboard.writeText(text).catch(() => copySelected(text))
}

function copySelected(text: string): void {
  const before = document.activeElement
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.position = 'fixed'
  area.style.opacity = '0'
  // Beside the focus, because an open dialog takes it back from elsewhere.
  const place = before?.parentElement ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error('The browser did not copy')
}
