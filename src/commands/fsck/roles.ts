/** Checks the permission catalogue, the two system roles, and that there is an active administrator. */
import { type Permission, permissionKeys } from '../../api/permissions.ts'
import { adminRole } from '../../api/roles.ts'
import { lockRoles } from '../../db/lock-roles.ts'
import type { Recorder } from '../../db/recorder.ts'
import { systemActor } from '../../db/write-actor.ts'
import { findPermissions, findRoleByName, permissionsOfRole } from '../../roles/find.ts'
import { hasOtherAdmin, hasUsers } from '../../users/find.ts'
import type { Check } from './finding.ts'

/** Repairs a finding, under lockRoles. */
type Mend = (record: Recorder) => Promise<unknown>

interface RoleFinding {
  problem: 'permission' | 'role'
  name: string
  detail: string
}

const reportRepairable = ({ deps: { db }, report }: Check, finding: RoleFinding, mend: Mend): Promise<void> =>
  report({ ...finding, verdict: 'repairable' }, () =>
    db.write(systemActor, async record => {
      record.nothing()
      await lockRoles(db)
      await mend(record)
      return true
    }),
  )

async function checkCatalogue(check: Check): Promise<void> {
  const { db } = check.deps
  const rows = await findPermissions(db)
  for (const key of permissionKeys.filter(known => !rows.some(row => row.key === known))) {
    const finding = {
      problem: 'permission',
      name: `permission ${key}`,
      detail: 'it is missing, and no role has it',
    } as const
    await reportRepairable(check, finding, () => db.change('INSERT INTO permissions (`key`) VALUES ($1)', [key]))
  }
  for (const { id, key } of rows.filter(row => !permissionKeys.includes(row.key))) {
    const finding = { problem: 'permission', name: `permission ${key}`, detail: 'there is none of that name' } as const
    await reportRepairable(check, finding, async () => {
      await db.change('DELETE FROM role_permissions WHERE permission_id = $1', [id])
      await db.change('DELETE FROM permissions WHERE id = $1', [id])
    })
  }
}

/** The state in a new database (migrations/0012-system-roles.ts). */
const systemRoles = {
  [adminRole]: { description: 'Everything, administration included', permissions: permissionKeys },
  user: {
    description: 'Own files, tags and keys',
    permissions: permissionKeys.filter(key => /^(files|tags|api-keys):/.test(key)),
  },
} as const

async function give({ deps: { db } }: Check, roleId: number, permissions: readonly Permission[]): Promise<void> {
  for (const key of permissions) {
    await db.change(
      'INSERT INTO role_permissions (role_id, permission_id) SELECT $1, id FROM permissions WHERE `key` = $2',
      [roleId, key],
    )
  }
}

async function checkSystemRole(check: Check, name: keyof typeof systemRoles): Promise<void> {
  const { db } = check.deps
  const { description, permissions } = systemRoles[name]
  if ((await findRoleByName(db, name)) !== undefined) return
  await reportRepairable(check, { problem: 'role', name: `role ${name}`, detail: 'it is missing' }, async record => {
    const now = Date.now()
    const id = await db.insert(db.roles, { name, description, is_system: 1, created_at: now, updated_at: now })
    await give(check, id, permissions)
    record('role.repair', { id }, { name })
  })
}

/** The admin role always has every permission. */
async function checkAdminRole(check: Check): Promise<void> {
  const role = await findRoleByName(check.deps.db, adminRole)
  if (role === undefined) return
  const held = permissionsOfRole(role)
  const missing = permissionKeys.filter(key => !held.includes(key))
  if (missing.length === 0) return
  const detail = `it lacks permissions: ${missing.join(', ')}`
  await reportRepairable(check, { problem: 'role', name: `role ${adminRole}`, detail }, async record => {
    await give(check, role.id, missing)
    record('role.repair', { id: role.id }, { name: adminRole })
  })
}

/** Every server has an administrator from its first start on. */
async function checkAdministrator({ deps: { db }, report }: Check): Promise<void> {
  const anybody = 0
  if (!(await hasUsers(db)) || (await hasOtherAdmin(db, anybody))) return
  const detail = `no active user has it: 'filestore admin user' gives it to somebody`
  await report({ verdict: 'ok', problem: 'no-administrator', name: `role ${adminRole}`, detail })
}

export async function checkRoles(check: Check): Promise<void> {
  await checkCatalogue(check)
  await checkSystemRole(check, adminRole)
  await checkSystemRole(check, 'user')
  await checkAdminRole(check)
  await checkAdministrator(check)
}
