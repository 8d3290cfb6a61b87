/** Commands that use the whole terminal. */
import type { Command } from 'commander'
import type { ProfileOption } from '../signed-in.ts'
import { addScreenCommand, helpLines, pathHelp } from './command.ts'

export function addScreenCommands(program: Command): void {
  addScreenCommand(program, 'browse', 'browse files and folders on the whole terminal')
    .argument('[path]', 'where to begin on the server', '/')
    .addHelpText('after', helpLines(['browse', 'browse /Photos/2024'], `${pathHelp}\nPress ? for the keys.`))
    .action(async (path: string, options: ProfileOption) => {
      await (await import('../commands/browse.ts')).browse(path, options)
    })
}
