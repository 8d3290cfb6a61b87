import { type Migration, migrationTime, rowsStay } from './migration.ts'

const forUsers = [
  'files:read',
  'files:search',
  'files:upload',
  'files:write',
  'files:delete',
  'tags:read',
  'tags:write',
  'api-keys:manage',
]
const forAdministration = ['users:manage', 'roles:manage', 'metadata:manage', 'settings:manage', 'validation:review']

const quoted = (keys: string[]) => keys.map(key => `'${key}'`).join(', ')

/** `key` is a reserved word on MariaDB. */
const inserts = (now: string) => [
  `INTO permissions (\`key\`) VALUES ${[...forUsers, ...forAdministration].map(key => `('${key}')`).join(', ')}`,
  `INTO roles (name, description, is_system, created_at, updated_at) VALUES
    ('admin', 'Everything, administration included', 1, ${now}, ${now}),
    ('user', 'Own files, tags and keys', 1, ${now}, ${now})`,
  `INTO role_permissions (role_id, permission_id)
    SELECT roles.id, permissions.id FROM roles CROSS JOIN permissions
    WHERE (roles.name = 'admin' OR permissions.\`key\` IN (${quoted(forUsers)}))
      AND NOT EXISTS (SELECT 1 FROM role_permissions)`,
]

/** The two system roles with their initial permissions. */
export const systemRoles: Migration = {
  name: '0012-system-roles',
  up: {
    sqlite: inserts(migrationTime.sqlite).map(insert => `INSERT OR IGNORE ${insert}`),
    mariadb: inserts(migrationTime.mariadb).map(insert => `INSERT IGNORE ${insert}`),
  },
  down: rowsStay,
}
