/** The sections that the header and the phone's menu offer, in their order. */
import type { Permission } from '../../src/api/permissions.ts'
import { useAuth } from '../lib/server/auth-store.ts'

/** A section is shown to users with at least one of its permissions. */
const sections = [
  { label: 'Files', to: '/files/{-$folderId}', anyOf: ['files:read'] },
  { label: 'Team folders', to: '/team-folders', anyOf: ['files:read'] },
  { label: 'Shared', to: '/shared/{-$tab}', anyOf: ['files:read'] },
  { label: 'Favorites', to: '/favorites', anyOf: ['files:read'] },
  { label: 'Recent', to: '/recent', anyOf: ['files:read'] },
  { label: 'Trash', to: '/trash', anyOf: ['files:read'] },
  { label: 'Overview', to: '/overview', anyOf: ['files:read'] },
  { label: 'API Keys', to: '/api-keys/{-$tab}', anyOf: ['api-keys:manage'] },
  { label: 'Tags', to: '/tags', anyOf: ['tags:read'] },
  {
    label: 'Settings',
    to: '/settings/{-$tab}',
    anyOf: ['settings:manage', 'metadata:manage', 'users:manage', 'spaces:manage', 'roles:manage'],
  },
  { label: 'Validation', to: '/validation', anyOf: ['validation:review'] },
] as const satisfies readonly { label: string; to: string; anyOf: readonly Permission[] }[]

/** The sections that a user with these permissions may see. */
export const sectionsFor = (permissions: readonly Permission[]) =>
  sections.filter(({ anyOf }) => anyOf.some(permission => permissions.includes(permission)))

const none: readonly Permission[] = []

/** The sections that the user may see. */
export const useSections = () => sectionsFor(useAuth(({ user }) => user?.permissions ?? none))

/** Whether the user may see the section at an address. */
export const maySee = (address: (typeof sections)[number]['to']): boolean =>
  sectionsFor(useAuth.getState().user?.permissions ?? none).some(({ to }) => to === address)

export type SectionName = (typeof sections)[number]['label']
