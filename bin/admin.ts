/** `filestore admin`: the administration of a server's own database, also while the server runs. */
import type { Command } from 'commander'
import { addAudit } from './admin/audit.ts'
import { addFields } from './admin/fields.ts'
import { addKeys } from './admin/keys.ts'
import { addPending } from './admin/pending.ts'
import { addRoles } from './admin/roles.ts'
import { addSettings } from './admin/settings.ts'
import { addCreate, addUsers } from './admin/users.ts'

export function addAdmin(program: Command): void {
  const admin = program.command('admin').description('administer the server').helpGroup('Server commands:')
  addCreate(admin)
  addUsers(admin)
  addRoles(admin)
  addKeys(admin)
  addSettings(admin)
  addFields(admin)
  addPending(admin)
  addAudit(admin)
}
