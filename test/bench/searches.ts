/** Searches in an account of very many items. */
import { requestOf } from '../../src/api/client.ts'
import type { InputOf } from '../../src/api/endpoint.ts'
import { searchFiles } from '../../src/api/search.ts'
import { type Client, readBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Row } from './table.ts'

/** Texts of few and of many hits among the names of account.ts, and what no index of names helps with. */
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

/** What its bound does not hold: no index of names or of a filter leaves few rows of these. */
const hardSearches: typeof searches = {
  'no hit, of frequent trigrams': { q: 'of 20.' },
  'two letters (and an invisible one)': { q: 'ra\u200b' },
  'two letters, no hit': { q: 'zq\u200b' },
  'a frequent text that a frequent type excludes': { q: '.pdf', mime_type: 'image/' },
}

const pageSize = 100

/** First pages, each search in its turn; `limit` ms are what the median of each may take. */
export async function sampleSearches(client: Client, limit: number, rounds: number): Promise<Row[]> {
  const all = Object.entries({ ...searches, ...hardSearches })
  const subjects = all.map(([, input]) => {
    const { url } = requestOf(searchFiles, { ...input, limit: pageSize })
    return () => timed(() => readBytes(client, `/api${url}`))
  })
  // Unmeasured: the first requests find code that is not compiled yet, and pages that are not in memory.
  await interleave(3, subjects)
  const samples = await interleave(rounds, subjects)
  return all.map(([name], index) => ({
    name: `search: ${name}`,
    unit: 'ms',
    value: summarize(samples[index] ?? []),
    ...(name in searches && { bound: { of: 'median', side: 'at most', limit } }),
  }))
}
