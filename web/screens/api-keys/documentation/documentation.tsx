/** How programs use the API of this server. */
import { Tabs } from '@mantine/core'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { Authentication } from './authentication.tsx'
import { CodeExamples } from './code-examples.tsx'
import styles from './documentation.module.css'
import { Overview } from './overview.tsx'
import { Permissions } from './permissions.tsx'

const tabs = [
  { name: 'overview', label: 'Overview', Panel: Overview },
  { name: 'authentication', label: 'Authentication', Panel: Authentication },
  { name: 'code-examples', label: 'Code Examples', Panel: CodeExamples },
  { name: 'permissions', label: 'Permissions', Panel: Permissions },
] as const

export function Documentation() {
  const hash = useLocation({ select: location => location.hash })
  const navigate = useNavigate()
  const current = tabs.find(({ name }) => name === hash)?.name ?? 'overview'
  const list = useRef<HTMLDivElement>(null)
  // On a narrow phone not all tabs fit, so scroll to the active one.
  useEffect(() => list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' }))
  return (
    <Tabs
      value={current}
      keepMounted={false}
      classNames={{ root: styles.root, list: styles.list, tab: styles.tab, panel: styles.panel }}
      onChange={name =>
        void navigate({ to: '/api-keys/{-$tab}', params: { tab: 'documentation' }, hash: name ?? undefined })
      }
    >
      <Tabs.List ref={list} aria-label="Documentation">
        {tabs.map(({ name, label }) => (
          <Tabs.Tab key={name} value={name}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map(({ name, Panel }) => (
        <Tabs.Panel key={name} value={name} tabIndex={0}>
          <Panel />
        </Tabs.Panel>
      ))}
    </Tabs>
  )
}
