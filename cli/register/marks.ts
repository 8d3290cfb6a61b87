/** Commands for favorites and tags. */
import type { Command } from 'commander'
import type { FavoritesOptions } from '../commands/favorites.ts'
import type { CreateTagOptions, DeleteTagsOptions, EditTagOptions, TagsOptions } from '../commands/tags.ts'
import { addCommand, addGroup, helpLines, pathHelp } from './command.ts'

export function addFavoriteCommands(program: Command): void {
  const favorites = addGroup(program, 'favorites', 'show and mark favorites', ['favorites ls', 'favorites add /Docs'])
  const load = () => import('../commands/favorites.ts')
  addCommand(favorites, 'ls', 'list the favorites')
    .addHelpText('after', helpLines(['favorites ls']))
    .action(async (options: FavoritesOptions) => {
      await (await load()).listFavoriteItems(options)
    })
  addCommand(favorites, 'add', 'make items favorites')
    .argument('<path...>', 'files or folders on the server')
    .addHelpText('after', helpLines(['favorites add /Docs /a.txt'], pathHelp))
    .action(async (paths: string[], options: FavoritesOptions) => {
      await (await load()).markFavorites(paths, true, options)
    })
  addCommand(favorites, 'remove', 'make items no longer favorites')
    .argument('<path...>', 'files or folders on the server')
    .addHelpText('after', helpLines(['favorites remove /Docs'], pathHelp))
    .action(async (paths: string[], options: FavoritesOptions) => {
      await (await load()).markFavorites(paths, false, options)
    })
}

const loadTags = () => import('../commands/tags.ts')

function addTagging(tags: Command): void {
  addCommand(tags, 'files', 'list the files that have a tag')
    .argument('<tag>', "the tag's name, or id:7")
    .addHelpText('after', helpLines(['tags files Work']))
    .action(async (tag: string, options: TagsOptions) => {
      await (await loadTags()).listTagged(tag, options)
    })
  addCommand(tags, 'add', 'put a tag on files')
    .argument('<tag>', "the tag's name, or id:7")
    .argument('<path...>', 'files on the server')
    .addHelpText('after', helpLines(['tags add Work /Docs/a.pdf /b.txt'], pathHelp))
    .action(async (tag: string, paths: string[], options: TagsOptions) => {
      await (await loadTags()).tagItems(tag, paths, true, options)
    })
  addCommand(tags, 'remove', 'take a tag off files')
    .argument('<tag>', "the tag's name, or id:7")
    .argument('<path...>', 'files on the server')
    .addHelpText('after', helpLines(['tags remove Work /b.txt'], pathHelp))
    .action(async (tag: string, paths: string[], options: TagsOptions) => {
      await (await loadTags()).tagItems(tag, paths, false, options)
    })
}

export function addTagCommands(program: Command): void {
  const tags = addGroup(program, 'tags', 'manage tags, and put them on files', [
    'tags create Work',
    'tags add Work /Docs/a.pdf',
  ])
  addCommand(tags, 'ls', 'list the tags')
    .addHelpText('after', helpLines(['tags ls']))
    .action(async (options: TagsOptions) => {
      await (await loadTags()).listOwnTags(options)
    })
  addCommand(tags, 'create', 'make a tag')
    .argument('<name>', 'name of the tag')
    .option('--color <color>', 'six hex digits', '#3B82F6')
    .addHelpText('after', helpLines(['tags create Work', "tags create Urgent --color '#EF4444'"]))
    .action(async (name: string, options: CreateTagOptions) => {
      await (await loadTags()).createOwnTag(name, options)
    })
  addCommand(tags, 'edit', 'give a tag another name or color')
    .argument('<tag>', "the tag's name, or id:7")
    .option('--name <name>', 'new name')
    .option('--color <color>', 'new color, six hex digits')
    .addHelpText('after', helpLines(['tags edit Work --name Office', "tags edit id:7 --color '#10B981'"]))
    .action(async (tag: string, options: EditTagOptions) => {
      await (await loadTags()).editTag(tag, options)
    })
  addCommand(tags, 'delete', 'delete tags; their files stay')
    .argument('<tag...>', 'names of tags, or id:7')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['tags delete Work', 'tags delete --yes id:7 id:8']))
    .action(async (names: string[], options: DeleteTagsOptions) => {
      await (await loadTags()).deleteTags(names, options)
    })
  addTagging(tags)
}
