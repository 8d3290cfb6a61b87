/** Refreshes the screen for uploaded files: at once after the last one, and less often while many are on their way. */

/** Milliseconds before the first refresh, and the minimum between two. */
const shortestPause = 500
/** Refreshing may take this share of the time, because it slows the uploads in server and page. */
const share = 0.1

/** Call this for each uploaded file; `isLast` means that nothing else is being uploaded. */
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
