/** The effects of uploads on the page: the progress in its title, and a question before the user leaves it. */
import type { Uploads } from './state.ts'
import { openOf, type Totals } from './upload.ts'

/** A title element before all others: browsers show the first one, and React owns the others. */
const own = document.createElement('title')

/** Puts the progress in front of the screen's own title. */
function showShare(share: string): void {
  const [screen] = [...document.head.querySelectorAll('title')].filter(title => title !== own)
  const text = `${share} · ${screen?.textContent ?? ''}`
  if (own.textContent !== text) own.textContent = text
  if (document.head.querySelector('title') !== own) document.head.prepend(own)
}

const shareOf = (totals: Totals): string | null => {
  const isSending = openOf(totals) > totals.describing + totals.clashing
  return isSending ? `${Math.floor((totals.sent / Math.max(1, totals.bytes)) * 100)}%` : null
}

export function watchPage({ rows, useReading, deps }: Uploads): void {
  const update = () => {
    const share = shareOf(rows.useList.getState().totals)
    if (share === null) own.remove()
    else showShare(share)
  }
  rows.useList.subscribe(update)
  // Follow a screen that changes its title in the meantime.
  new MutationObserver(update).observe(document.head, { childList: true, subtree: true, characterData: true })

  window.addEventListener('beforeunload', event => {
    const isUnfinished = openOf(rows.totals) > 0 || useReading.getState().files !== null
    if (isUnfinished && deps.tray.getState().isOpen) event.preventDefault()
  })
}
