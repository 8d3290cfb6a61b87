/** `filestore admin`: administers a server through its own database, also while the server runs. */
import type { Command } from 'commander'
import { helpLines } from '../cli/register/command.ts'
import { exitHelp } from '../terminal/exit.ts'
import { addAudit } from './admin/audit.ts'
import { addFields } from './admin/fields.ts'
import { addGroups } from './admin/groups.ts'
import { addKeys } from './admin/keys.ts'
import { addLinks } from './admin/links.ts'
import { addNodes } from './admin/nodes.ts'
import { addPending } from './admin/pending.ts'
import { addRoles } from './admin/roles.ts'
import { addSettings } from './admin/settings.ts'
import { addShares } from './admin/shares.ts'
import { addSpaces } from './admin/spaces.ts'
import { addCreate, addUsers } from './admin/users.ts'

const note = "It works on the server's own database, also while the server runs; --data-dir and --database say where."
const examples = [
  'admin create --username ann --email ann@example.org',
  'admin user add bob --email bob@example.org --temp-password',
  'admin pending approve bob:/Reports/may.pdf',
]

export function addAdmin(program: Command): void {
  const admin = program
    .command('admin')
    .description('administer the server')
    .helpGroup('Server commands:')
    .addHelpText('after', helpLines(examples, note))
    .addHelpText('after', `\n${exitHelp}`)
  addCreate(admin)
  addUsers(admin)
  addRoles(admin)
  addGroups(admin)
  addSpaces(admin)
  addShares(admin)
  addLinks(admin)
  addKeys(admin)
  addSettings(admin)
  addFields(admin)
  addPending(admin)
  addAudit(admin)
  addNodes(admin)
}
