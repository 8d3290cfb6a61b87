/** One change to many items: one batch call per thousand, and a result for every item. */
import { ApiError } from '../../../src/api/client.ts'
import type { InputOf } from '../../../src/api/endpoint.ts'
import { errorStatus } from '../../../src/api/errors.ts'
import { type BatchResult, batchFiles } from '../../../src/api/files.ts'
import type { FileItem } from '../../../src/api/items.ts'
import { maxBatchSize } from '../../../src/api/limits.ts'
import { call } from '../server/call.ts'

/** The result of a change to several items; `error` is the first failure, undefined when there was none. */
export interface Outcome<Item = FileItem> {
  done: Item[]
  failed: Item[]
  error: unknown
}

type Batch = InputOf<typeof batchFiles>
/** The batch's action with the field it needs. */
export type BatchAction = Batch extends infer Each ? (Each extends Batch ? Omit<Each, 'ids'> : never) : never

/** Changes items: `one` makes the call for a single item, `many` the batch for several. Never throws. */
export async function changeEach<Item extends { id: number }>(
  items: readonly Item[],
  one: (item: Item) => Promise<unknown>,
  many: BatchAction,
): Promise<Outcome<Item>> {
  const outcome: Outcome<Item> = { done: [], failed: [], error: undefined }
  const [only] = items
  if (only !== undefined && items.length === 1) {
    await one(only).then(
      () => outcome.done.push(only),
      error => fail(outcome, [only], error),
    )
    return outcome
  }
  for (let start = 0; start < items.length; start += maxBatchSize) {
    const part = items.slice(start, start + maxBatchSize)
    try {
      const { results } = await call(batchFiles, { ...many, ids: part.map(({ id }) => id) } as Batch)
      sortOut(outcome, part, results)
    } catch (error) {
      fail(outcome, part, error)
    }
  }
  return outcome
}

/** Changes items one after the other; `done` are what `one` makes of them. Never throws. */
export async function oneByOne<Item>(
  items: readonly Item[],
  one: (item: Item, index: number) => Promise<Item>,
): Promise<Outcome<Item>> {
  const outcome: Outcome<Item> = { done: [], failed: [], error: undefined }
  for (const [index, item] of items.entries()) {
    await one(item, index).then(
      done => outcome.done.push(done),
      error => fail(outcome, [item], error),
    )
  }
  return outcome
}

function fail<Item>(outcome: Outcome<Item>, items: readonly Item[], error: unknown): void {
  outcome.failed.push(...items)
  outcome.error ??= error
}

function sortOut<Item extends { id: number }>(outcome: Outcome<Item>, part: readonly Item[], results: BatchResult[]) {
  const found = new Map(results.map(result => [result.id, result]))
  for (const item of part) {
    const result = found.get(item.id)
    if (result === undefined || result.ok) outcome.done.push(item)
    else fail(outcome, [item], errorOf(result))
  }
}

/** The error that the single call would have thrown. */
function errorOf({ error, message }: Extract<BatchResult, { ok: false }>): ApiError {
  const code = Object.keys(errorStatus).find(key => key === error) as keyof typeof errorStatus | undefined
  return new ApiError(code === undefined ? 500 : errorStatus[code], message, { code })
}
