/** The settings of administrators: a tab for each part that they may manage. */
import { Tabs } from '@mantine/core'
import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { Permission } from '../../../src/api/permissions.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { lazyPart } from '../../lib/server/lazy-part.ts'
import { LockedDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import styles from '../../ui/tabbed-screen.module.css'

interface Tab {
  name: string
  label: string
  needs: Permission
  Panel: React.ComponentType
}

const tabs: readonly Tab[] = [
  {
    name: 'system',
    label: 'System',
    needs: 'settings:manage',
    Panel: lazyPart(() => import('./system-tab.tsx'), 'SystemTab'),
  },
  {
    name: 'metadata',
    label: 'Metadata Fields',
    needs: 'metadata:manage',
    Panel: lazyPart(() => import('./fields-tab.tsx'), 'FieldsTab'),
  },
  {
    name: 'users',
    label: 'Users',
    needs: 'users:manage',
    Panel: lazyPart(() => import('./users-tab.tsx'), 'UsersTab'),
  },
  {
    name: 'groups',
    label: 'Groups',
    needs: 'users:manage',
    Panel: lazyPart(() => import('./groups-tab.tsx'), 'GroupsTab'),
  },
  {
    name: 'team-folders',
    label: 'Team Folders',
    needs: 'spaces:manage',
    Panel: lazyPart(() => import('./teams-tab.tsx'), 'TeamsTab'),
  },
  {
    name: 'links',
    label: 'Links',
    needs: 'settings:manage',
    Panel: lazyPart(() => import('./links-tab.tsx'), 'LinksTab'),
  },
  {
    name: 'roles',
    label: 'Roles',
    needs: 'roles:manage',
    Panel: lazyPart(() => import('./roles-tab.tsx'), 'RolesTab'),
  },
  {
    name: 'audit',
    label: 'Audit',
    needs: 'settings:manage',
    Panel: lazyPart(() => import('./audit-tab.tsx'), 'AuditTab'),
  },
]

/** The message for users without access to any tab. */
const lockedTitle = (tab: string | undefined): string =>
  `Admin access required to manage ${tab === 'users' ? 'users' : 'settings'}`

export function SettingsScreen() {
  const { tab } = useParams({ from: '/app/settings/{-$tab}' })
  const permissions = useAuth(({ user }) => user?.permissions)
  const navigate = useNavigate()
  const allowed = tabs.filter(({ needs }) => permissions?.includes(needs))
  const [first] = allowed
  const list = useRef<HTMLDivElement>(null)
  // On a phone not all tabs are in view.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another element
  useEffect(() => list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' }), [tab])
  if (first !== undefined && !allowed.some(({ name }) => name === tab)) {
    return <Navigate to="/settings/{-$tab}" params={{ tab: first.name }} replace />
  }
  return (
    <Sheet title="Settings">
      <div className={styles.head}>
        <ScreenTitle>Settings</ScreenTitle>
      </div>
      {first === undefined ? (
        <EmptyState
          drawing={<LockedDrawing />}
          title={lockedTitle(tab)}
          sentence="Ask an administrator for a role that may do this"
        />
      ) : (
        <Tabs
          value={tab}
          keepMounted={false}
          classNames={{ root: styles.tabs, list: styles.tabList, panel: styles.panel }}
          onChange={name => void navigate({ to: '/settings/{-$tab}', params: { tab: name ?? first.name } })}
        >
          <Tabs.List ref={list} aria-label="Settings">
            {allowed.map(({ name, label }) => (
              <Tabs.Tab key={name} value={name}>
                {label}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          {allowed.map(({ name, Panel }) => (
            <Tabs.Panel key={name} value={name}>
              <Panel />
            </Tabs.Panel>
          ))}
        </Tabs>
      )}
    </Sheet>
  )
}
