/** What the user who is signed in may do. */
import type { Permission } from '../../src/api/permissions.ts'
import { useAuth } from './auth-store.ts'

/** Whether the user holds a permission. The server decides; this only spares what would be refused. */
export const useMay = (permission: Permission): boolean =>
  useAuth(({ user }) => user?.permissions.includes(permission) === true)
