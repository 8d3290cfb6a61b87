/** Keeps an upload to one tab: another one would interrupt it with each request. */

const nameOf = (id: string): string => `filestore upload ${id}`

/** Where the page is not secure there are no locks; then every tab may have it. */
const locks = (): LockManager | undefined => navigator.locks

/** Takes an upload for this tab until the returned function is called; null if another tab has it. */
export async function holdUpload(id: string): Promise<(() => void) | null> {
  const manager = locks()
  if (manager === undefined) return () => undefined
  return new Promise((resolve, reject) => {
    manager
      .request(nameOf(id), { ifAvailable: true }, lock => {
        if (lock === null) return resolve(null)
        return new Promise<void>(leave => resolve(leave))
      })
      .catch(reject)
  })
}
