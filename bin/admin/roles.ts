/** `filestore admin role …`. */
import type { Command } from 'commander'
import { helpLines } from '../../cli/register/command.ts'
import { permissionOption } from '../../cli/register/permission-option.ts'
import type { Permission } from '../../src/api/permissions.ts'
import { CommandError } from '../../terminal/exit.ts'
import { visible } from '../../terminal/visible.ts'
import { answer, confirmUnless, type DataFlags, type YesFlag } from '../answer.ts'
import { addDataCommand } from '../server-command.ts'

const load = async () => ({ ...(await import('../../src/commands/admin/roles.ts')), ...(await import('./tables.ts')) })

interface RoleFlags extends DataFlags {
  name?: string
  description?: string
  permission?: Permission[]
}

function addRoleViews(roles: Command): void {
  addDataCommand(roles, 'list', 'list all roles')
    .addHelpText('after', helpLines(['admin role list']))
    .action(async (flags: DataFlags) => {
      const { listRoles, formatRoles } = await load()
      await answer(flags, () => listRoles(flags), formatRoles)
    })
  addDataCommand(roles, 'show', 'show a role, with what it allows')
    .argument('<role>', 'name of the role')
    .addHelpText('after', helpLines(['admin role show user']))
    .action(async (name: string, flags: DataFlags) => {
      const { showRole, formatRole } = await load()
      await answer(flags, () => showRole(flags, name), formatRole)
    })
}

function addRoleChanges(roles: Command): void {
  addDataCommand(roles, 'create', 'make a role')
    .argument('<role>', 'name of the new role')
    .addOption(permissionOption('what it allows').makeOptionMandatory())
    .option('--description <text>', 'what it is for')
    .addHelpText('after', helpLines(['admin role create reader --permission files:read --permission files:search']))
    .action(async (name: string, flags: RoleFlags) => {
      const { createRole } = await load()
      const { description, permission: permissions } = flags
      await answer(
        flags,
        () => createRole(flags, { name, description, permissions }),
        role => `Role ${visible(role.name)} was created`,
      )
    })
  addDataCommand(roles, 'set', 'change a role; it holds from the next request of whoever has it')
    .argument('<role>', 'name of the role')
    .option('--name <name>', 'new name')
    .option('--description <text>', 'what it is for')
    .addOption(permissionOption('what it allows from now on, and nothing else'))
    .addHelpText('after', helpLines(['admin role set reader --name readers --description "Reads alone"']))
    .action(async (current: string, flags: RoleFlags) => {
      const { setRole } = await load()
      const { name, description, permission: permissions } = flags
      if ([name, description, permissions].every(value => value === undefined)) {
        throw new CommandError('usage', 'Nothing to change: use --name, --description or --permission')
      }
      await answer(
        flags,
        () => setRole(flags, current, { name, description, permissions }),
        role => `Role ${visible(role.name)} was changed`,
      )
    })
}

function addRoleDelete(roles: Command): void {
  addDataCommand(roles, 'delete', 'delete a role that nobody has')
    .argument('<role>', 'name of the role')
    .option('--yes', 'do not ask')
    .addHelpText('after', helpLines(['admin role delete reader']))
    .action(async (name: string, flags: DataFlags & YesFlag) => {
      const { checkDeletion, deleteRole } = await load()
      await confirmUnless(flags, `Delete the role ${(await checkDeletion(flags, name)).name}?`)
      await answer(
        flags,
        () => deleteRole(flags, name),
        role => `Role ${visible(role.name)} was deleted`,
      )
    })
}

export function addRoles(admin: Command): void {
  const roles = admin.command('role').description('make, change and delete roles')
  addRoleViews(roles)
  addRoleChanges(roles)
  addRoleDelete(roles)
}
