/** The user's tags, and the tags of one file. */
import { queryOptions } from '@tanstack/react-query'
import { createTag, listFileTags, listTags, type Tag } from '../../../src/api/tags.ts'
import { call } from '../server/call.ts'
import { queryClient } from '../server/query-client.ts'
import { refreshItems } from './folders.ts'

/** All tags by name. */
export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async () => (await call(listTags, {})).tags,
})

/** The tags of one file by name. */
export const fileTagsQuery = (fileId: number) =>
  queryOptions({
    queryKey: ['item', fileId, 'tags'],
    queryFn: async () => (await call(listFileTags, { id: fileId })).tags,
  })

/** Refetches everything on screen that shows tags: the tags themselves and the tagged files. */
export const refreshTags = (): Promise<void> => refreshItems()

/** Creates a tag. The tag list shows it last at first, and in its sorted place after the refetch. */
export async function makeTag(name: string, color: string): Promise<Tag> {
  const { tag } = await call(createTag, { name, color })
  queryClient.setQueryData(tagsQuery.queryKey, tags => tags && [...tags, tag])
  void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey })
  return tag
}
