/** The client's part of the command tree. A command's code is loaded when it is called, so that help is quick. */
import type { Command } from 'commander'
import { exitHelp } from '../terminal/exit.ts'
import { addAccountCommands } from './register/account.ts'
import { helpLines } from './register/command.ts'
import { addCompletion } from './register/completion.ts'
import { addItemCommands } from './register/items.ts'
import { addKeyCommands } from './register/keys.ts'
import { addFavoriteCommands, addTagCommands } from './register/marks.ts'
import { addOrganiseCommands } from './register/organise.ts'
import { addPendingCommands } from './register/pending.ts'
import { addScreenCommands } from './register/screen.ts'
import { addShareCommands } from './register/share.ts'
import { addSpaceCommands } from './register/spaces.ts'
import { addTransferCommands } from './register/transfers.ts'
import { addTrashCommands } from './register/trash.ts'

const examples = [
  'serve --data-dir /srv/files',
  'login https://files.example.org',
  'upload Photos --to /Backups',
  'download /Reports/may.pdf',
]

/** Adds the commands that talk to a server to the program's tree. */
export function registerClient(program: Command): void {
  addAccountCommands(program)
  addItemCommands(program)
  addTransferCommands(program)
  addOrganiseCommands(program)
  addTrashCommands(program)
  addTagCommands(program)
  addFavoriteCommands(program)
  addShareCommands(program)
  addSpaceCommands(program)
  addKeyCommands(program)
  addPendingCommands(program)
  addScreenCommands(program)
  addCompletion(program)
  program.addHelpText('after', `${helpLines(examples)}\n\n${exitHelp}`)
}
