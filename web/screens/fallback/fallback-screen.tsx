/** Shown at unknown addresses: the user's account and storage, and the product's planned features. */
import { Button } from '@mantine/core'
import { IconFolder, IconLink, IconSearch, IconShare } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { profileQuery } from '../../lib/data/storage.ts'
import { useAuth } from '../../lib/server/auth-store.ts'
import { ProfileCard } from '../../shell/profile-card.tsx'
import { Card } from '../../ui/card.tsx'
import { ScreenTitle } from '../../ui/screen-title.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import styles from './fallback-screen.module.css'
import { StorageCard } from './storage-card.tsx'

const quickActions = [
  { label: 'Files', icon: IconFolder },
  { label: 'Search', icon: IconSearch },
  { label: 'Share', icon: IconShare },
  { label: 'Links', icon: IconLink },
]

const upcomingFeatures = [
  { title: 'Versions', text: 'Look at what a file was before it was replaced, and go back to it.' },
  { title: 'Network drive', text: 'Open your files in the programs of your computer, as a folder of its own.' },
]

export function FallbackScreen() {
  const user = useAuth(state => state.user)
  useQuery(profileQuery)
  if (user === null) return null
  return (
    <Sheet title="Not found">
      <div className={styles.page}>
        <ScreenTitle>There is no page at this address</ScreenTitle>
        <p className={styles.way}>
          Your files are where they were: <Link to="/">go to Files</Link>.
        </p>
        <div className={styles.cards}>
          <ProfileCard user={user} />
          <StorageCard user={user} />
          <Card title="Quick Actions">
            <div className={styles.actions}>
              {quickActions.map(({ label, icon: Glyph }) => (
                <Button
                  key={label}
                  variant="default"
                  leftSection={<Glyph size={16} stroke={1.75} aria-hidden />}
                  disabled
                >
                  {label}
                </Button>
              ))}
            </div>
            <p className={styles.hint}>These work from a page of their own, not from here.</p>
          </Card>
        </div>
        <h2 className={styles.heading}>Upcoming Features</h2>
        <div className={styles.cards}>
          {upcomingFeatures.map(({ title, text }) => (
            <Card key={title} title={title}>
              <p className={styles.text}>{text}</p>
            </Card>
          ))}
        </div>
      </div>
    </Sheet>
  )
}
