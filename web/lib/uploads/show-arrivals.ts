/** Makes the screen show what has arrived: at once at the end, and sparingly while much is still on its way. */
import { refreshItems } from '../folders.ts'

/** Milliseconds before the first look, and between two looks at least. */
const shortestPause = 500
/** Looking may take this share of the time, for it takes server and page away from the uploads. */
const share = 0.1

let planned: ReturnType<typeof setTimeout> | undefined
let lastTook = 0

async function show(): Promise<void> {
  planned = undefined
  const start = performance.now()
  await refreshItems()
  lastTook = performance.now() - start
}

/** To be called for each arrival; `isLast` where nothing else is on its way. */
export function showArrivals(isLast: boolean): void {
  if (isLast) {
    clearTimeout(planned)
    planned = setTimeout(() => void show())
  } else planned ??= setTimeout(() => void show(), Math.max(shortestPause, lastTook / share))
}
