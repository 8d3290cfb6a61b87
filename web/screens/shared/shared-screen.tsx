/** What others share with the user, and what the user shares with others: with people, and by links. */
import { Button, Tabs } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay } from '../../lib/server/permissions.ts'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import styles from '../../ui/tabbed-screen.module.css'
import { usePhone } from '../../ui/use-phone.ts'
import { GivenTab } from './given-tab.tsx'
import { LinksTab } from './links-tab.tsx'
import { ReceivedTab } from './received-tab.tsx'

const withMe = 'with-me'

export function SharedScreen() {
  const { tab = withMe } = useParams({ from: '/app/shared/{-$tab}' })
  const navigate = useNavigate()
  const mayShare = useMay('files:share')
  const mayLink = useMay('files:link')
  const [isHidden, setHidden] = useState(false)
  const size = usePhone() ? 'lg' : 'sm'
  return (
    <Sheet title="Shared">
      <div className={styles.head}>
        <ScreenTitle
          action={
            tab === withMe && (
              <Button variant="default" size={size} onClick={() => setHidden(!isHidden)}>
                {isHidden ? 'Back to list' : 'Show hidden'}
              </Button>
            )
          }
        >
          Shared
        </ScreenTitle>
      </div>
      <Tabs
        value={tab}
        keepMounted={false}
        classNames={{ root: styles.tabs, list: styles.tabList, panel: styles.panel }}
        onChange={name =>
          void navigate({ to: '/shared/{-$tab}', params: { tab: name === withMe || name === null ? undefined : name } })
        }
      >
        <Tabs.List aria-label="Shared">
          <Tabs.Tab value={withMe}>With me</Tabs.Tab>
          {mayShare && <Tabs.Tab value="by-me">By me</Tabs.Tab>}
          {mayLink && <Tabs.Tab value="links">My links</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value={withMe}>
          <ReceivedTab key={String(isHidden)} isHidden={isHidden} />
        </Tabs.Panel>
        <Tabs.Panel value="by-me">
          <GivenTab />
        </Tabs.Panel>
        <Tabs.Panel value="links">
          <LinksTab />
        </Tabs.Panel>
      </Tabs>
    </Sheet>
  )
}
