/** Commands that show files and folders on the server. */
import { type Command, Option } from 'commander'
import type { SortKey } from '../../src/api/files.ts'
import type { ValidationStatus } from '../../src/api/items.ts'
import { addToList, parseCount, parseSize } from '../../terminal/options.ts'
import type { AddressOptions } from '../commands/address.ts'
import type { LsOptions } from '../commands/ls.ts'
import type { RecentOptions } from '../commands/recent.ts'
import type { SearchOptions } from '../commands/search.ts'
import type { StatsOptions } from '../commands/stats.ts'
import type { TreeOptions } from '../commands/tree.ts'
import { addCommand, helpLines, pathHelp } from './command.ts'

// Listed here because loading the contract's schemas takes longer than printing all of the help.
const sorts = ['name', 'date', 'size', 'type'] as const satisfies readonly SortKey[]
const statuses = ['approved', 'pending', 'rejected'] as const satisfies readonly ValidationStatus[]

function addSearch(program: Command): void {
  addCommand(program, 'search', 'find files and folders by a part of the name')
    .argument('<text>', 'at least 2 characters of the name; case and accents do not count')
    .option('--type <type>', 'image, video, audio, text, pdf, or a type such as image/png')
    .option('--min-size <size>', 'bytes, or with KB, MB, GB', parseSize)
    .option('--max-size <size>', 'bytes, or with KB, MB, GB', parseSize)
    .option('--from <date>', 'changed then or later: YYYY-MM-DD (UTC)')
    .option('--to <date>', 'changed then or before')
    .option('--tag <name>', 'with this tag')
    .addOption(new Option('--status <status>', 'with this approval status').choices(statuses))
    .option('--meta <field:value>', 'with this metadata; may be given several times', addToList)
    .option('--in <folder>', "below this folder; '/' is your own tree")
    .addOption(new Option('--sort <key>', 'order of the newest 1,000 hits; else the newest come first').choices(sorts))
    .option('--reverse', 'in descending order')
    .option('--limit <count>', 'show so many at most', parseCount, 100)
    .addHelpText(
      'after',
      helpLines(['search invoice', 'search report --type pdf --from 2024-01-01', 'search draft --tag Work --in /Docs']),
    )
    .action(async (text: string, options: SearchOptions) => {
      await (await import('../commands/search.ts')).search(text, options)
    })
}

export function addItemCommands(program: Command): void {
  addCommand(program, 'ls', 'list a folder')
    .argument('[path]', "folder or file on the server; '@' is all places", '/')
    .option('-l, --long', 'show ids, kinds, statuses and tags too')
    .addOption(new Option('--sort <key>', 'order of the entries').choices(sorts).default('name'))
    .option('--reverse', 'in descending order')
    .addHelpText(
      'after',
      helpLines(['ls', 'ls /Docs --long --sort date --reverse', 'ls @', 'ls @Accounts/2026'], pathHelp),
    )
    .action(async (path: string, options: LsOptions) => {
      await (await import('../commands/ls.ts')).list(path, options)
    })
  addCommand(program, 'tree', 'list a folder with all below it')
    .argument('[path]', 'folder on the server', '/')
    .option('-L, --depth <count>', 'go down so many levels at most', parseCount)
    .addHelpText('after', helpLines(['tree /Docs', 'tree --depth 2'], pathHelp))
    .action(async (path: string, options: TreeOptions) => {
      await (await import('../commands/tree.ts')).showTree(path, options)
    })
  addSearch(program)
  addCommand(program, 'recent', 'list the files that changed last')
    .option('--limit <count>', 'show so many at most', parseCount, 100)
    .addHelpText('after', helpLines(['recent', 'recent --limit 20 --json']))
    .action(async (options: RecentOptions) => {
      await (await import('../commands/recent.ts')).showRecent(options)
    })
  addCommand(program, 'address', 'print the web addresses that open items')
    .argument('<path...>', 'files or folders on the server')
    .addHelpText('after', helpLines(['address /Docs/a.pdf'], pathHelp))
    .action(async (paths: string[], options: AddressOptions) => {
      await (await import('../commands/address.ts')).showAddresses(paths, options)
    })
  addCommand(program, 'stats', 'count files and folders, and show the newest')
    .addHelpText('after', helpLines(['stats', 'stats --json']))
    .action(async (options: StatsOptions) => {
      await (await import('../commands/stats.ts')).showStats(options)
    })
}
