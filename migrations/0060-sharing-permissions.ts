import { type Migration, rowsStay } from './migration.ts'

const insertKeys = "INTO permissions (`key`) VALUES ('files:share'), ('spaces:manage')"

/** Only the two system roles get them; a role that people made stays as they made it. */
const insertIntoRoles = `INTO role_permissions (role_id, permission_id)
  SELECT roles.id, permissions.id FROM roles CROSS JOIN permissions
  WHERE roles.is_system = 1 AND (permissions.\`key\` = 'files:share' AND roles.name IN ('admin', 'user')
    OR permissions.\`key\` = 'spaces:manage' AND roles.name = 'admin')`

/** The permissions to share own files, and to manage team folders. */
export const sharingPermissions: Migration = {
  name: '0060-sharing-permissions',
  up: {
    sqlite: [insertKeys, insertIntoRoles].map(insert => `INSERT OR IGNORE ${insert}`),
    mariadb: [insertKeys, insertIntoRoles].map(insert => `INSERT IGNORE ${insert}`),
  },
  down: rowsStay,
}
