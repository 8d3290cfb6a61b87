/** Finds the user's own tags as people name them. */
import type { Call } from '../src/api/client.ts'
import { listTags, type Tag } from '../src/api/tags.ts'
import { pickOne } from './pick.ts'

/** A tag by its name, or `id:42`. Throws `notFound`. */
export async function findTag(call: Call, text: string): Promise<Tag> {
  const { tags } = await call(listTags, {})
  return pickOne(tags, text, 'among your tags', tag => [tag.name])
}
