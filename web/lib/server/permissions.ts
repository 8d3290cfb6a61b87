/** The permissions of the signed-in user. */
import type { FileItem } from '../../../src/api/items.ts'
import type { Permission } from '../../../src/api/permissions.ts'
import { useAuth } from './auth-store.ts'

/** Whether the user has a permission. The server decides; this only hides what it would refuse. */
export const useMay = (permission: Permission): boolean =>
  useAuth(({ user }) => user?.permissions.includes(permission) === true)

/** Whether the item is the user's own. A reviewer may only view other people's items. */
export const useOwns = ({ owner_id }: Pick<FileItem, 'owner_id'>): boolean =>
  useAuth(({ user }) => user?.id === owner_id)
