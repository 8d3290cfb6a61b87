/** Finds the user's own tags by what a person types. */
import type { Call } from '../src/api/client.ts'
import { listTags, type Tag } from '../src/api/tags.ts'
import { pickOne } from './pick.ts'

/** Finds a tag by its name, or as `id:42`. Throws `notFound`. */
export async function findTag(call: Call, text: string): Promise<Tag> {
  const { tags } = await call(listTags, {})
  return pickOne(tags, text, 'among your tags', tag => [tag.name])
}
