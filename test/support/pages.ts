/** Reads a list to its end, page by page. */
interface Page<Entry> {
  entries: readonly Entry[]
  next_cursor: string | null
}

/** Returns all entries, and the number of entries on each page. */
export async function readPages<Entry>(
  read: (cursor: string | undefined) => Promise<Page<Entry>>,
): Promise<{ entries: Entry[]; sizes: number[] }> {
  const entries: Entry[] = []
  const sizes: number[] = []
  let cursor: string | undefined
  do {
    const page = await read(cursor)
    entries.push(...page.entries)
    sizes.push(page.entries.length)
    cursor = page.next_cursor ?? undefined
  } while (cursor !== undefined)
  return { entries, sizes }
}
