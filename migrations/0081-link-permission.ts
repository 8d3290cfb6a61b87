import { type Migration, rowsStay } from './migration.ts'

const insertKey = "INTO permissions (`key`) VALUES ('files:link')"

/** Only the two system roles get it; a role that people made stays as they made it. */
const insertIntoRoles = `INTO role_permissions (role_id, permission_id)
  SELECT roles.id, permissions.id FROM roles CROSS JOIN permissions
  WHERE roles.is_system = 1 AND permissions.\`key\` = 'files:link' AND roles.name IN ('admin', 'user')`

/** The permission to make links. */
export const linkPermission: Migration = {
  name: '0081-link-permission',
  up: {
    sqlite: [insertKey, insertIntoRoles].map(insert => `INSERT OR IGNORE ${insert}`),
    mariadb: [insertKey, insertIntoRoles].map(insert => `INSERT IGNORE ${insert}`),
  },
  down: rowsStay,
}
