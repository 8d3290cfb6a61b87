/** The user's tags, and tagging files. */
import { queryOptions } from '@tanstack/react-query'
import { maxBatchSize } from '../../../src/api/limits.ts'
import { createTag, listFileTags, listTags, type Tag, tagFiles, untagFiles } from '../../../src/api/tags.ts'
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
export async function refreshTags(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey }), refreshItems()])
}

/** Creates a tag. The tag list shows it last at first, and in its sorted place after the refetch. */
export async function makeTag(name: string, color: string): Promise<Tag> {
  const { tag } = await call(createTag, { name, color })
  queryClient.setQueryData(tagsQuery.queryKey, tags => tags && [...tags, tag])
  void queryClient.invalidateQueries({ queryKey: tagsQuery.queryKey })
  return tag
}

/** Adds a tag to files or removes it. Thousands take several calls, so a failure may leave some of them changed. */
export async function setTag(tagId: number, fileIds: readonly number[], isOn: boolean): Promise<void> {
  for (let start = 0; start < fileIds.length; start += maxBatchSize) {
    const part = fileIds.slice(start, start + maxBatchSize)
    await call(isOn ? tagFiles : untagFiles, { tag_id: tagId, file_ids: part })
  }
}
