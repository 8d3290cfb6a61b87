import { dropTable, type Migration, mariadbTable } from './migration.ts'

export const rolePermissions: Migration = {
  name: '0003-role-permissions',
  up: {
    sqlite: [
      `CREATE TABLE role_permissions (
        role_id INTEGER NOT NULL REFERENCES roles (id) ON DELETE CASCADE,
        permission_id INTEGER NOT NULL REFERENCES permissions (id),
        PRIMARY KEY (role_id, permission_id)
      ) WITHOUT ROWID`,
    ],
    mariadb: [
      `CREATE TABLE IF NOT EXISTS role_permissions (
        role_id BIGINT NOT NULL,
        permission_id BIGINT NOT NULL,
        PRIMARY KEY (role_id, permission_id),
        FOREIGN KEY (role_id) REFERENCES roles (id) ON DELETE CASCADE,
        FOREIGN KEY (permission_id) REFERENCES permissions (id)
      ) ${mariadbTable}`,
    ],
  },
  down: dropTable('role_permissions'),
}
