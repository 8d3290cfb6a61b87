/** The option that names permissions, for keys and roles. */
import { InvalidArgumentError, Option } from 'commander'
import type { Permission } from '../../src/api/permissions.ts'

// Listed here because loading the contract's schemas takes longer than printing all of the help.
const permissions = [
  'files:read',
  'files:search',
  'files:upload',
  'files:write',
  'files:delete',
  'files:share',
  'files:link',
  'tags:read',
  'tags:write',
  'api-keys:manage',
  'users:manage',
  'spaces:manage',
  'roles:manage',
  'metadata:manage',
  'settings:manage',
  'validation:review',
] as const satisfies readonly Permission[]

function addPermission(text: string, list: readonly Permission[] = []): Permission[] {
  const permission = permissions.find(key => key === text)
  if (permission === undefined) throw new InvalidArgumentError(`Allowed choices are ${permissions.join(', ')}.`)
  return [...list, permission]
}

/** An option that may be given several times. Its value is a list of permissions. */
export const permissionOption = (what: string): Option =>
  new Option('--permission <key>', `${what}; may be given several times`).choices(permissions).argParser(addPermission)
