/** The user's API keys, and how programs use them. */
import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { lazyPart } from '../../lib/server/lazy-part.ts'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import styles from '../../ui/tabbed-screen.module.css'
import { usePhone } from '../../ui/use-phone.ts'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { KeysTab } from './keys-tab.tsx'

const Documentation = lazyPart(() => import('./documentation/documentation.tsx'), 'Documentation')

export function ApiKeysScreen() {
  const { tab = 'keys' } = useParams({ from: '/app/api-keys/{-$tab}' })
  const navigate = useNavigate()
  const [isCreating, setCreating] = useState(false)
  const createButton = useRef<HTMLButtonElement>(null)
  const size = usePhone() ? 'lg' : 'sm'
  const go = (name: string | null) =>
    void navigate({ to: '/api-keys/{-$tab}', params: { tab: name === 'keys' || name === null ? undefined : name } })
  return (
    <Sheet title="API Keys">
      <div className={styles.head}>
        <ScreenTitle
          action={
            <Button
              ref={createButton}
              size={size}
              leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
              onClick={() => setCreating(true)}
            >
              Create API Key
            </Button>
          }
        >
          API Keys
        </ScreenTitle>
      </div>
      <Tabs
        value={tab}
        keepMounted={false}
        classNames={{ root: styles.tabs, list: styles.tabList, panel: styles.panel }}
        onChange={go}
      >
        <Tabs.List aria-label="API Keys">
          <Tabs.Tab value="keys">My API Keys</Tabs.Tab>
          <Tabs.Tab value="documentation">Documentation</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="keys">
          <KeysTab
            onCreate={() => setCreating(true)}
            // The focused button is removed with its row, so move the focus.
            onDeleted={() => createButton.current?.focus()}
          />
        </Tabs.Panel>
        <Tabs.Panel value="documentation">
          <Documentation />
        </Tabs.Panel>
      </Tabs>
      <CreateKeyDialog opened={isCreating} onClose={() => setCreating(false)} onCreated={() => go('keys')} />
    </Sheet>
  )
}
