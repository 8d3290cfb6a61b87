/** Makes the screen show what has arrived: at once at the end, and sparingly while much is still on its way. */

/** Milliseconds before the first look, and between two looks at least. */
const shortestPause = 500
/** Looking may take this share of the time, for it takes server and page away from the uploads. */
const share = 0.1

/** To be called for each arrival; `isLast` where nothing else is on its way. */
export type Arrivals = (isLast: boolean) => void

export function openArrivals(refresh: () => Promise<void>): Arrivals {
  let planned: ReturnType<typeof setTimeout> | undefined
  let lastTook = 0

  async function show(): Promise<void> {
    planned = undefined
    const start = performance.now()
    await refresh()
    lastTook = performance.now() - start
  }

  return isLast => {
    if (isLast) {
      clearTimeout(planned)
      planned = setTimeout(() => void show())
    } else planned ??= setTimeout(() => void show(), Math.max(shortestPause, lastTook / share))
  }
}
