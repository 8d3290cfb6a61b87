/** Waits until the page has loaded and rendered what it was opened for. */
import { queryClient } from './query-client.ts'

const nextPicture = () => new Promise<void>(resolve => requestAnimationFrame(() => setTimeout(resolve)))

/** Resolves once all requests are answered and rendered, so that less urgent work does not delay them. */
export async function whenQuiet(): Promise<void> {
  await nextPicture()
  const isQuiet = () => queryClient.isFetching() === 0
  if (isQuiet()) return
  await new Promise<void>(resolve => {
    const stop = queryClient.getQueryCache().subscribe(() => {
      if (!isQuiet()) return
      stop()
      resolve()
    })
  })
  await nextPicture()
}
