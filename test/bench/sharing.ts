/** What sharing costs: in one's own tree, in the places of others, and in the lists of what is shared. */
import { requestOf } from '../../src/api/client.ts'
import { listFiles } from '../../src/api/files.ts'
import { searchFiles } from '../../src/api/search.ts'
import { listReceived, markSharesSeen } from '../../src/api/shares.ts'
import { listFileTags } from '../../src/api/tags.ts'
import { type Client, readBytes } from './client.ts'
import { interleave, summarize, timed } from './measure.ts'
import type { Measuring } from './options.ts'
import { withPlace, withProduct } from './product.ts'
import { buildSharedPlace, largeShares, type SharedPlace, signInAll, smallShares } from './sharing-place.ts'
import type { Row } from './table.ts'

const pageSize = 100

type Sample = () => Promise<number>

const read =
  (client: Client, url: string): Sample =>
  () =>
    timed(() => readBytes(client, `/api${url}`))
const firstPage = (client: Client, folder: number) =>
  read(client, requestOf(listFiles, { parent_id: folder, limit: pageSize }).url)
const search = (client: Client, scope?: 'own') =>
  read(client, requestOf(searchFiles, { q: 'invoice', limit: pageSize, ...(scope && { scope }) }).url)

/** Measures a sample and its reference in turns; `limit` is the largest ratio. */
async function compare(
  name: string,
  limit: number,
  [value, reference]: [Sample, Sample],
  other: string,
  rounds: number,
) {
  await interleave(20, [value, reference])
  const [values, references] = await interleave(rounds, [value, reference])
  return {
    name,
    unit: 'ms',
    value: summarize(values),
    reference: { name: other, figures: summarize(references) },
    bound: { of: 'ratio', side: 'at most', limit },
  } satisfies Row
}

/** Measures a sample; `limit` is the largest median in ms. */
async function limitTo(name: string, limit: number, sample: Sample, rounds: number): Promise<Row> {
  await interleave(20, [sample])
  const [values] = await interleave(rounds, [sample])
  return { name, unit: 'ms', value: summarize(values), bound: { of: 'median', side: 'at most', limit } }
}

/**
 * What the standing of an item adds to a call about it: a call about a shared folder less the same about an own one.
 * Each comes right after a change, because until the next one a standing is remembered.
 */
async function measureStanding(client: Client, shared: number, own: number, rounds: number): Promise<Row> {
  const afterChange = async (id: number) => {
    await client.call(markSharesSeen, {})
    return read(client, requestOf(listFileTags, { id }).url)()
  }
  const pair = [() => afterChange(shared), () => afterChange(own)] as const
  await interleave(20, pair)
  const [theirs, ours] = await interleave(rounds, pair)
  return {
    name: 'standing in a foreign place, four folders deep',
    unit: 'ms',
    value: summarize(theirs.map((time, round) => time - (ours[round] ?? Number.NaN))),
    bound: { of: 'median', side: 'at most', limit: 0.5 },
  }
}

async function measureAll(admin: Client, place: SharedPlace, rounds: number): Promise<Row[]> {
  const { receiver, plain, member, many } = await signInAll(admin.url)
  const { own, large, deep, sizes } = place
  const count = (value: number) => value.toLocaleString('en')
  const others = `who receives nothing`
  const received = `${largeShares + smallShares} shares received`
  const among = `among ${count(sizes.space)} files`
  const pages: [Sample, Sample] = [firstPage(receiver, own.receiver), firstPage(plain, own.plain)]
  const searches: [Sample, Sample] = [search(receiver, 'own'), search(plain, 'own')]
  const shared: [Sample, Sample] = [firstPage(receiver, large), firstPage(admin, large)]
  return [
    await compare(`first page of an own folder, with ${received}`, 1.05, pages, others, 4 * rounds),
    await compare(`search in the own tree, with ${received}`, 1.05, searches, others, 4 * rounds),
    await measureStanding(receiver, deep, own.receiver, 2 * rounds),
    await compare(`first page of a shared folder of ${count(sizes.large)}`, 1.5, shared, 'its owner', rounds),
    await limitTo(`search in five teams, ${among}`, 5, search(member), rounds),
    await limitTo(`search in ${smallShares} small shares, ${among}`, 15, search(many), rounds),
    await limitTo(`list of ${received}`, 5, read(receiver, requestOf(listReceived, {}).url), rounds),
  ]
}

export function measureSharing(measuring: Measuring): Promise<Row[]> {
  const rounds = measuring.isQuick ? 10 : 100
  return withPlace(measuring, async place => {
    const shared = await buildSharedPlace(place, measuring)
    return withProduct(place, client => measureAll(client, shared, rounds))
  })
}
