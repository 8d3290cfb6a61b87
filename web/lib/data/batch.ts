/** Changes a slice of items: by the single call for one, else by a batch, which has a result for every item. */
import { ApiError } from '../../../src/api/client.ts'
import type { InputOf } from '../../../src/api/endpoint.ts'
import { errorStatus } from '../../../src/api/errors.ts'
import { type BatchResult, batchFiles } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { call } from '../server/call.ts'

interface Failed<Item> {
  item: Item
  error: unknown
}

/** What became of each item of a slice. */
export interface Outcome<Item = FileItem> {
  done: Item[]
  failed: Failed<Item>[]
}

type Batch = InputOf<typeof batchFiles>
/** The batch's action with the field it needs. */
type BatchAction = Batch extends infer Each ? (Each extends Batch ? Omit<Each, 'ids'> : never) : never

/** Changes at most `maxBatchSize` items. After the single call, what `one` makes of the item is done. Never throws. */
export async function changeSlice<Item extends { id: number }>(
  items: readonly Item[],
  one: (item: Item) => Promise<Item>,
  many: BatchAction,
): Promise<Outcome<Item>> {
  if (items.length === 1) return oneByOne(items, one)
  try {
    const { results } = await call(batchFiles, { ...many, ids: items.map(({ id }) => id) } as Batch)
    return sortOut(items, results)
  } catch (error) {
    return { done: [], failed: items.map(item => ({ item, error })) }
  }
}

/** Changes items one after the other; `done` are what `one` makes of them. Never throws. */
export async function oneByOne<Item>(
  items: readonly Item[],
  one: (item: Item, index: number) => Promise<Item>,
): Promise<Outcome<Item>> {
  const outcome: Outcome<Item> = { done: [], failed: [] }
  for (const [index, item] of items.entries()) {
    await one(item, index).then(
      done => outcome.done.push(done),
      error => outcome.failed.push({ item, error }),
    )
  }
  return outcome
}

function sortOut<Item extends { id: number }>(items: readonly Item[], results: readonly BatchResult[]): Outcome<Item> {
  const found = new Map(results.map(result => [result.id, result]))
  const outcome: Outcome<Item> = { done: [], failed: [] }
  for (const item of items) {
    const result = found.get(item.id)
    if (result === undefined || result.ok) outcome.done.push(item)
    else outcome.failed.push({ item, error: errorOf(result) })
  }
  return outcome
}

/** The error that the single call would have thrown. */
function errorOf({ error, message }: Extract<BatchResult, { ok: false }>): ApiError {
  const code = Object.keys(errorStatus).find(key => key === error) as keyof typeof errorStatus | undefined
  return new ApiError(code === undefined ? 500 : errorStatus[code], message, { code })
}
