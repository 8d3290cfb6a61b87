/** Copies text to the clipboard; a failure is logged and shown as a quiet notice. */
import { log, logFailure } from '../server/log-failure.ts'

/** Resolves with whether the text is on the clipboard now. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await write(text)
    return true
  } catch (error) {
    logFailure('Failed to copy to the clipboard', error)
    return false
  }
}

/** Pages served over plain HTTP have no clipboard API, and browsers may refuse it; then use the older command. */
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
  // Put it next to the focus: an open dialog traps the focus and would take it back from elsewhere.
  const place = before?.parentElement ?? document.body
  place.append(area)
  area.select()
  const isCopied = document.execCommand('copy')
  area.remove()
  if (before instanceof HTMLElement) before.focus()
  if (!isCopied) throw new Error('The browser did not copy')
}

/**
 * Copies a text that is still on its way. Safari copies only at once after a press, so it gets the promise itself.
 * Resolves with whether the text is on the clipboard; the caller shows it anyway, so a failure is only logged. A text
 * that never comes is the caller's failure, which the caller tells.
 */
export async function copyLater(text: Promise<string>): Promise<boolean> {
  try {
    if (navigator.clipboard?.write === undefined) await write(await text)
    else await writeLater(text).catch(async () => write(await text))
    return true
  } catch (error) {
    const isThere = await text.then(
      () => true,
      () => false,
    )
    if (isThere) log('Failed to copy to the clipboard', error)
    return false
  }
}

function writeLater(text: Promise<string>): Promise<void> {
  const content = text.then(known => new Blob([known], { type: 'text/plain' }))
  return navigator.clipboard.write([new ClipboardItem({ 'text/plain': content })])
}
