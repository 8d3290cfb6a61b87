/** One kind of change to any number of items: how a slice of them is sent, and which lists show it. */
import type { Outcome } from './batch.ts'
import { refreshItems } from './folders.ts'

export interface Change<Item> {
  /**
   * Sends at most `maxBatchSize` items, and edits the lists that show them: `isAtOnce` before the server answers, else
   * once it has answered, so that a long act's lists show what is done. Never throws.
   */
  send: (slice: readonly Item[], isAtOnce: boolean) => Promise<Outcome<Item>>
  /** How many items the first slice has. Later ones have more or fewer, depending on the time that it took. */
  first: number
  /** The lists that `send` edits itself, by the first part of their cache keys. */
  lists?: readonly string[]
  /**
   * How long a long act has its items in hand, so that nothing else acts on them: each until its slice is done, because
   * it leaves the list then, or all until the act ends. Undefined where others may act on them meanwhile.
   */
  inHand?: 'slice' | 'act'
}

/** Makes a change to one item. Throws the server's error. */
export async function changeOne<Item>({ send }: Change<Item>, item: Item): Promise<void> {
  const { failed } = await send([item], true)
  void refreshItems()
  if (failed[0] !== undefined) throw failed[0].error
}
