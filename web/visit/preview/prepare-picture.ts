/** Prepares the picture that the page shows first, while it still asks what the link is on. */
import { hasPicture } from '../../lib/server/config.ts'
import { FileView } from './lazy-preview.tsx'

/** Fetches the code that shows the picture, and lets the browser decode it: that takes longer than all the page's code. */
export function preparePicture(): void {
  if (hasPicture !== true) return
  FileView.fetch()
  const picture = new Image()
  // The head of the page tells the browser to fetch it.
  picture.src = document.querySelector<HTMLLinkElement>('link[as=image]')?.href ?? ''
  // One that cannot be decoded is told where it is shown.
  picture.decode().catch(() => undefined)
}
