/** Searches in an account of very many items. */
import { requestOf } from '../../src/api/client.ts'
import type { InputOf } from '../../src/api/endpoint.ts'
import { searchFiles } from '../../src/api/search.ts'
import { type Client, readBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Row } from './table.ts'

/**
 * Texts with few and with many hits among the names of account.ts, and texts that an index of names does not help with.
 */
const searches: Record<string, InputOf<typeof searchFiles>> = {
  'one hit': { q: 'okapi' },
  'no hit': { q: 'quagga' },
  'a few hits': { q: '31415' },
  'hits in 1 of 20 names': { q: 'invoice' },
  'hits in all names': { q: ' of 20' },
  Greek: { q: 'ΠΟΣΕΙΔΏΝ' },
  Chinese: { q: '会議資' },
  'frequent, with a frequent type': { q: 'invoice', mime_type: 'image/' },
  'frequent, with an absent type': { q: ' of 20', mime_type: 'audio/' },
  'frequent, with an absent size': { q: ' of 20', min_size: 1_000_000 },
  'frequent, with an absent status': { q: ' of 20', status: 'pending' },
  'frequent, before all dates': { q: ' of 20', date_to: '2000-01-01' },
}

/** Searches without a bound, because no index of names or of a filter reduces them to few rows. */
const hardSearches: typeof searches = {
  'no hit, of frequent trigrams': { q: 'of 20.' },
  'two letters (and an invisible one)': { q: 'ra\u200b' },
  'two letters, no hit': { q: 'zq\u200b' },
  'a frequent text that a frequent type excludes': { q: '.pdf', mime_type: 'image/' },
}

const pageSize = 100

/** Measures first pages, each search in turn; `limit` is the largest allowed median in ms. */
export async function sampleSearches(client: Client, limit: number, rounds: number): Promise<Row[]> {
  const all = Object.entries({ ...searches, ...hardSearches })
  const subjects = all.map(([, input]) => {
    const { url } = requestOf(searchFiles, { ...input, limit: pageSize })
    return () => timed(() => readBytes(client, `/api${url}`))
  })
  // Warm-up: the first requests compile code, and load pages of the database into memory.
  await interleave(3, subjects)
  const samples = await interleave(rounds, subjects)
  return all.map(([name], index) => ({
    name: `search: ${name}`,
    unit: 'ms',
    value: summarize(samples[index] ?? []),
    ...(name in searches && { bound: { of: 'median', side: 'at most', limit } }),
  }))
}
