/** Every migration in its order; a new one is added at the end and never changed once it is released. */
import { permissions } from './0001-permissions.ts'
import { roles } from './0002-roles.ts'
import { rolePermissions } from './0003-role-permissions.ts'
import { users } from './0004-users.ts'
import { spaces } from './0005-spaces.ts'
import { sessions } from './0006-sessions.ts'
import { apiKeys } from './0007-api-keys.ts'
import { blobs } from './0008-blobs.ts'
import { blobBytes } from './0009-blob-bytes.ts'
import { files } from './0010-files.ts'
import { events } from './0011-events.ts'
import { systemRoles } from './0012-system-roles.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  permissions,
  roles,
  rolePermissions,
  users,
  spaces,
  sessions,
  apiKeys,
  blobs,
  blobBytes,
  files,
  events,
  systemRoles,
]
