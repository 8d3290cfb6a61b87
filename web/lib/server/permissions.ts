/** What the user who is signed in may do. */
import type { FileItem } from '../../../src/api/items.ts'
import type { Permission } from '../../../src/api/permissions.ts'
import { useAuth } from './auth-store.ts'

/** Whether the user holds a permission. The server decides; this only spares what would be refused. */
export const useMay = (permission: Permission): boolean =>
  useAuth(({ user }) => user?.permissions.includes(permission) === true)

/** Whether an item is the user's own: a reviewer may only look at that of others. */
export const useOwns = ({ owner_id }: Pick<FileItem, 'owner_id'>): boolean =>
  useAuth(({ user }) => user?.id === owner_id)
