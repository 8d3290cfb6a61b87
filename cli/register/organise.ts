/** Commands that create, move, copy and remove files and folders on the server. */
import type { Command } from 'commander'
import type { MkdirOptions } from '../commands/mkdir.ts'
import type { RemoveOptions } from '../commands/rm.ts'
import type { EachToOptions } from '../each-to.ts'
import { addCommand, helpLines, pathHelp } from './command.ts'

const targetHelp = 'The last path is where to: into a folder that is there, else the new path of a\nsingle item.'
const betweenHelp = 'To another place an item is copied, and the original goes to the\ntrash where it was.'

export function addOrganiseCommands(program: Command): void {
  addCommand(program, 'mkdir', 'make folders')
    .argument('<path...>', 'paths of the new folders')
    .option('-p, --parents', 'make the folders above too, and take those that are there')
    .addHelpText('after', helpLines(['mkdir /Docs', 'mkdir -p /Photos/2024/June'], pathHelp))
    .action(async (paths: string[], options: MkdirOptions) => {
      await (await import('../commands/mkdir.ts')).makeFolders(paths, options)
    })
  addCommand(program, 'mv', 'move or rename files and folders')
    .usage('[options] <from...> <to>')
    .argument('<from...>', 'files or folders on the server, then where to')
    .addHelpText(
      'after',
      helpLines(['mv /a.txt /b.txt', 'mv /a.txt /b.txt @Accounts'], pathHelp, targetHelp, betweenHelp),
    )
    .action(async (paths: string[], options: EachToOptions) => {
      await (await import('../commands/mv.ts')).move(paths, options)
    })
  addCommand(program, 'cp', 'copy files and folders on the server')
    .usage('[options] <from...> <to>')
    .argument('<from...>', 'files or folders on the server, then where to')
    .addHelpText(
      'after',
      helpLines(
        ['cp /Docs /Docs-2024', 'cp /a.txt /b.txt /Docs'],
        pathHelp,
        `${targetHelp} In a folder that has the name a copy gets a number.`,
      ),
    )
    .action(async (paths: string[], options: EachToOptions) => {
      await (await import('../commands/cp.ts')).copy(paths, options)
    })
  addCommand(program, 'rm', 'move files and folders to the trash, or delete them')
    .argument('<path...>', 'files or folders on the server')
    .option('--permanent', 'delete permanently')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['rm /a.txt /Docs', 'rm --permanent --yes /a.txt'], pathHelp))
    .action(async (paths: string[], options: RemoveOptions) => {
      await (await import('../commands/rm.ts')).remove(paths, options)
    })
}
