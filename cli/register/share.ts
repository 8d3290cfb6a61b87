/** Commands for sharing. */
import { type Command, Option } from 'commander'
import type { ShareLevel } from '../../src/api/share-levels.ts'
import { parseUntil } from '../../terminal/options.ts'
import type { LeaveOptions, ListReceivedOptions, ReceivedOptions } from '../commands/received.ts'
import type { AddShareOptions, ShareOptions } from '../commands/share.ts'
import { addCommand, addGroup, helpLines, pathHelp } from './command.ts'
import { addLinkCommands } from './links.ts'

// Listed here because loading the contract's schemas takes longer than printing all of the help.
const levels = ['view', 'upload', 'edit', 'manage'] as const satisfies readonly ShareLevel[]

const levelHelp = `Levels: view; upload (adds files, sees only these); edit (also changes, moves
and trashes what is in it); manage (team folders: also members, and deleting
permanently).`

const whoHelp = 'username, or @name of a group'
const receivedHelp = 'name of what is shared with you, or id:7 from share received'

const loadGiven = () => import('../commands/share.ts')

function addGiving(share: Command): void {
  addCommand(share, 'add', 'give people or groups access to a file or folder')
    .argument('<path>', 'file or folder on the server')
    .argument('<who...>', whoHelp)
    .addOption(new Option('--level <level>', 'what they may do').choices(levels).default('view'))
    .option('--until <time>', 'days from now (30d), a date (YYYY-MM-DD), or never', parseUntil)
    .addHelpText(
      'after',
      helpLines(
        [
          'share add /Docs anna',
          'share add /Drafts anna @Teachers --level edit --until 30d',
          'share add @Accounts ben',
        ],
        pathHelp,
        `${levelHelp}\nWho has access already gets the new level.`,
      ),
    )
    .action(async (path: string, who: string[], options: AddShareOptions) => {
      await (await loadGiven()).addShares(path, who, options)
    })
  addCommand(share, 'ls', 'list what you share, or who has access to a file or folder')
    .argument('[path]', 'file or folder on the server')
    .addHelpText('after', helpLines(['share ls', 'share ls /Docs'], pathHelp))
    .action(async (path: string | undefined, options: ShareOptions) => {
      await (await loadGiven()).listShares(path, options)
    })
  addCommand(share, 'rm', 'end the access of people or groups')
    .usage('[options] <path> <who...> | id:<share>')
    .argument('<path>', 'file or folder on the server, or a share as id:7')
    .argument('[who...]', whoHelp)
    .addHelpText('after', helpLines(['share rm /Docs anna @Teachers', 'share rm id:7'], pathHelp))
    .action(async (path: string, who: string[], options: ShareOptions) => {
      await (await loadGiven()).removeShares(path, who, options)
    })
}

const loadReceived = () => import('../commands/received.ts')

function addReceiving(share: Command): void {
  addCommand(share, 'received', 'list what others share with you, the newest first')
    .option('--hidden', 'what you have hidden')
    .addHelpText('after', helpLines(['share received', 'ls @Photos'], 'Each is a place: its path is @Name.'))
    .action(async (options: ListReceivedOptions) => {
      await (await loadReceived()).listReceived(options)
    })
  addCommand(share, 'leave', 'give up your access to what others share with you')
    .argument('<name...>', receivedHelp)
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['share leave @Photos']))
    .action(async (names: string[], options: LeaveOptions) => {
      await (await loadReceived()).leaveShares(names, options)
    })
  for (const [name, isHidden, summary] of [
    ['hide', true, 'take what others share out of your lists'],
    ['unhide', false, 'take what you have hidden back into your lists'],
  ] as const) {
    addCommand(share, name, summary)
      .argument('<name...>', receivedHelp)
      .addHelpText('after', helpLines([`share ${name} @Photos`]))
      .action(async (names: string[], options: ReceivedOptions) => {
        await (await loadReceived()).hideShares(names, isHidden, options)
      })
  }
}

export function addShareCommands(program: Command): void {
  const share = addGroup(program, 'share', 'share files and folders with people, or by a link', [
    'share add /Docs anna --level edit',
    'share link /Docs/a.pdf --until 30d',
    'share received',
  ])
  addGiving(share)
  addLinkCommands(share)
  addReceiving(share)
}
