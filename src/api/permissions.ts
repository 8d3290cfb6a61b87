/** The catalogue of all permissions, for roles and API keys. */
import * as z from 'zod/mini'

interface PermissionEntry {
  key: string
  name: string
  description: string
  category: string
}

export const permissionCatalogue = [
  { key: 'files:read', name: 'Read files', description: 'List, preview and download files', category: 'Files' },
  { key: 'files:search', name: 'Search files', description: 'Search files by name', category: 'Files' },
  { key: 'files:upload', name: 'Upload files', description: 'Upload new files and new content', category: 'Files' },
  {
    key: 'files:write',
    name: 'Organize files',
    description: 'Create folders, rename, move and favorite items',
    category: 'Files',
  },
  {
    key: 'files:delete',
    name: 'Delete files',
    description: 'Move items to the trash, restore and delete them',
    category: 'Files',
  },
  {
    key: 'files:share',
    name: 'Share files',
    description: 'Give people and groups access to own files and folders',
    category: 'Files',
  },
  {
    key: 'files:link',
    name: 'Make links',
    description: 'Share own files and folders by link, with people without an account',
    category: 'Files',
  },
  { key: 'tags:read', name: 'Read tags', description: 'List tags and the tags of files', category: 'Tags' },
  { key: 'tags:write', name: 'Manage tags', description: 'Create, edit, delete and assign tags', category: 'Tags' },
  {
    key: 'api-keys:manage',
    name: 'Manage API keys',
    description: 'Create, list and delete own API keys',
    category: 'API keys',
  },
  {
    key: 'users:manage',
    name: 'Manage users',
    description: 'Create, edit and delete users',
    category: 'Administration',
  },
  {
    key: 'spaces:manage',
    name: 'Manage team folders',
    description: 'Create and delete team folders, set their quotas and appoint managers',
    category: 'Administration',
  },
  {
    key: 'roles:manage',
    name: 'Manage roles',
    description: 'Create, edit and delete roles',
    category: 'Administration',
  },
  {
    key: 'metadata:manage',
    name: 'Manage metadata fields',
    description: 'Define the metadata asked for at upload',
    category: 'Administration',
  },
  {
    key: 'settings:manage',
    name: 'Manage settings',
    description: 'Change system settings and read the audit log',
    category: 'Administration',
  },
  {
    key: 'validation:review',
    name: 'Review files',
    description: 'Approve and reject pending files',
    category: 'Administration',
  },
] as const satisfies readonly PermissionEntry[]

export type Permission = (typeof permissionCatalogue)[number]['key']

/** Every permission key, in the catalogue's order. */
export const permissionKeys: readonly Permission[] = permissionCatalogue.map(entry => entry.key)

export const permissionKey = z.enum(permissionKeys as readonly [Permission, ...Permission[]], 'Unknown permission')
