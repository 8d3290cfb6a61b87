/** `filestore tags`: manages the user's own tags, and puts them on files. */
import type { FileDetails } from '../../src/api/items.ts'
import { searchFiles } from '../../src/api/search.ts'
import {
  createTag,
  deleteTag,
  listFileTags,
  listTags,
  type Tag,
  tagFiles,
  untagFiles,
  updateTag,
} from '../../src/api/tags.ts'
import { CommandError } from '../../terminal/exit.ts'
import { listNames } from '../../terminal/format.ts'
import { printData, printJson, printNotice } from '../../terminal/output.ts'
import { confirm } from '../../terminal/prompt.ts'
import { formatTable } from '../../terminal/table.ts'
import { createCall, unlessDone } from '../client.ts'
import { runEach } from '../each.ts'
import { findTag } from '../find-tag.ts'
import { formatHits } from '../item-cells.ts'
import { collect, readPages } from '../pages.ts'
import { shownPath } from '../places.ts'
import { findRemoteItem } from '../remote-path.ts'
import { type ProfileOption, runSignedIn } from '../signed-in.ts'

export interface TagsOptions extends ProfileOption {
  json?: boolean
}

export interface CreateTagOptions extends TagsOptions {
  color: string
}

export interface EditTagOptions extends TagsOptions {
  name?: string
  color?: string
}

export interface DeleteTagsOptions extends TagsOptions {
  yes?: boolean
}

const formatTags = (tags: readonly Tag[]): string =>
  formatTable(
    [{ head: 'ID', align: 'right' }, { head: 'FILES', align: 'right' }, { head: 'COLOR' }, { head: 'NAME' }],
    tags.map(tag => [String(tag.id), String(tag.file_count), tag.color, tag.name]),
  )

const printTag = (tag: Tag, options: TagsOptions): void =>
  options.json ? printJson(tag) : printData(formatTags([tag]))

export const listOwnTags = (options: TagsOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const { tags } = await call(listTags, {})
    if (options.json) return printJson(tags)
    if (tags.length === 0) return printNotice("No tags yet; 'filestore tags create' makes one")
    printData(formatTags(tags))
  })

export const createOwnTag = (name: string, options: CreateTagOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    printTag((await call(createTag, { name, color: options.color })).tag, options)
  })

/** Changes a tag's name, colour, or both. */
export async function editTag(text: string, options: EditTagOptions): Promise<void> {
  const { name, color } = options
  if (name === undefined && color === undefined) throw new CommandError('usage', 'Give --name, --color or both')
  await runSignedIn(options, async ({ call }) => {
    const { id } = await findTag(call, text)
    printTag((await call(updateTag, { id, name, color })).tag, options)
  })
}

/** Deletes tags; their files stay as they are. */
export const deleteTags = (names: string[], options: DeleteTagsOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    await confirm(`Delete ${listNames(names)} and take it off all files?`, options.yes, server.signal)
    await runEach(server, names, options, formatTags, async text => {
      const tag = await findTag(call, text)
      await unlessDone(call(deleteTag, { id: tag.id }), 'not_found')
      return tag
    })
  })

const formatTagged = (items: readonly FileDetails[]): string =>
  formatTable(
    [{ head: 'PATH [TAGS]' }],
    items.map(item => [`${shownPath(item)} [${item.tags.map(tag => tag.name).join(', ')}]`]),
  )

/** Adds a tag to files or removes it, and prints the files with their tags afterwards. */
export const tagItems = (text: string, paths: string[], isOn: boolean, options: TagsOptions): Promise<void> =>
  runSignedIn(options, async ({ server, call }) => {
    const { id: tagId } = await findTag(call, text)
    const callRepeatable = createCall(server, { repeatable: true })
    await runEach(server, paths, options, formatTagged, async path => {
      const item = await findRemoteItem(call, path)
      if (item.is_directory) throw new CommandError('usage', `'${path}' is a folder, and tags are for files`)
      await callRepeatable(isOn ? tagFiles : untagFiles, { tag_id: tagId, file_ids: [item.id] })
      return { ...item, tags: (await call(listFileTags, { id: item.id })).tags }
    })
  })

/** Prints the files that have a tag, the newest first. */
export const listTagged = (name: string, options: TagsOptions): Promise<void> =>
  runSignedIn(options, async ({ call }) => {
    const tag = await findTag(call, name)
    const files = await collect(readPages(cursor => call(searchFiles, { tag_id: tag.id, cursor })))
    if (options.json) return printJson(files)
    if (files.length === 0) return printNotice('No files have this tag')
    printData(formatHits(files))
  })
