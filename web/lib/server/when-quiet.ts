/** When the page has what it was opened for. */
import { queryClient } from './query-client.ts'

const nextPicture = () => new Promise<void>(resolve => requestAnimationFrame(() => setTimeout(resolve)))

/** Resolves once all that was asked of the server has come and been drawn: what can wait keeps nothing of it back. */
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
