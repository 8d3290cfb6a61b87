/** Tags: each user has their own, and only files can have them. */
import * as z from 'zod/mini'
import { about } from './about.ts'
import { endpoint } from './endpoint.ts'
import { id, lineOfText, nothing, onlyId, textId } from './fields.ts'
import { itemTag } from './items.ts'
import { maxBatchSize, maxTagNameLength } from './limits.ts'

/** `file_count` counts live files. */
export const tag = z.extend(itemTag, { file_count: z.int() })
export type Tag = z.output<typeof tag>

const name = lineOfText('Tag name', maxTagNameLength)
/** Stored in upper case, so that each colour has one form. */
const color = z.string().check(z.regex(/^#[0-9a-fA-F]{6}$/, 'Expected a colour such as #3B82F6'), z.toUpperCase())
const tagAnswer = z.object({ tag })

export const listTags = endpoint('GET', '/tags', nothing).returns(
  z.object({ tags: z.array(tag) }),
  about("List the caller's tags"),
)
export const createTag = endpoint('POST', '/tags', z.strictObject({ name, color })).returns(
  tagAnswer,
  about('Make a tag', { errors: ['name_taken'], statuses: [201] }),
)
export const updateTag = endpoint(
  'PUT',
  '/tags/:id',
  z.strictObject({ id: textId, name: z.optional(name), color: z.optional(color) }),
).returns(tagAnswer, about('Rename or recolour a tag', { errors: ['name_taken'] }))
/** Deletes the tag and removes it from its files. */
export const deleteTag = endpoint('DELETE', '/tags/:id', onlyId).returns(
  z.null(),
  about('Delete a tag and take it off its files'),
)

export const listFileTags = endpoint('GET', '/files/:id/tags', onlyId).returns(
  z.object({ tags: z.array(itemTag) }),
  about('List the tags of a file'),
)

const tagging = z.strictObject({
  tag_id: id,
  file_ids: z
    .array(id)
    .check(
      z.minLength(1, 'Choose at least one file'),
      z.maxLength(maxBatchSize, `At most ${maxBatchSize} files at a time`),
    ),
})

/** Tags all files, or none if one of them is not the caller's own live file. `changed` counts the newly tagged ones. */
export const tagFiles = endpoint('POST', '/tags/tag-files', tagging).returns(
  z.object({ changed: z.int() }),
  about('Put a tag on files; if one is not found, on none of them'),
)
export const untagFiles = endpoint('POST', '/tags/untag-files', tagging).returns(
  z.object({ changed: z.int() }),
  about('Take a tag off files'),
)
