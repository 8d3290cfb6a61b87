/** Keeps what was received of a form until the form is complete or refused. */

/** What multer keeps of a file: the number of what was received. */
export interface Kept {
  part: number
}

/**
 * What was received with a form, by numbers. Multer gets the numbers alone, because it keeps its list of files until the
 * connection ends, even that of a refused form.
 */
export function openParts<Received>(remove: (received: Received) => Promise<void>) {
  const parts = new Map<number, Received>()
  let added = 0
  const drop = async (part: number | undefined) => {
    const received = part === undefined ? undefined : parts.get(part)
    if (part === undefined || received === undefined) return
    parts.delete(part)
    await remove(received)
  }
  return {
    add: (received: Received): Kept => {
      parts.set(added, received)
      return { part: added++ }
    },
    get: (part: number) => parts.get(part) as Received,
    drop,
    dropAll: () => Promise.allSettled([...parts.keys()].map(drop)),
  }
}
