/** The header on phones: logo, search and menu. */
import { IconMenu2, IconSearch } from '@tabler/icons-react'
import { Link, useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Profile } from '../../src/api/auth.ts'
import { dropTypeAhead, typeAhead } from '../items/search/type-ahead.ts'
import { scopeOf } from '../items/search/use-search.ts'
import { useSlashKey } from '../items/search/use-slash-key.ts'
import { lazyPart } from '../lib/server/lazy-part.ts'
import { useMay } from '../lib/server/permissions.ts'
import { BottomSheet } from '../ui/bottom-sheet.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Mark } from '../ui/mark.tsx'
import styles from './phone-header.module.css'

const PhoneMenu = lazyPart(() => import('./phone-menu.tsx'), 'PhoneMenu')

export function PhoneHeader({ user }: { user: Profile }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const maySearch = useMay('files:search')
  const navigate = useNavigate()
  // Load it early, so that it opens at once.
  useEffect(PhoneMenu.fetch, [])
  const { pathname } = useLocation()
  const search = () => void navigate({ to: '/search', search: { q: '', in: scopeOf(pathname) } })
  // The search screen has a box, which takes the key itself.
  const searchByKey = () => {
    typeAhead()
    search()
  }
  useEffect(() => {
    if (pathname !== '/search') dropTypeAhead()
  }, [pathname])
  useSlashKey(searchByKey, maySearch && pathname !== '/search')
  return (
    <header className={styles.bar}>
      <Link to="/" className={styles.home} activeOptions={{ exact: true }}>
        <Mark size={22} />
        filestore
      </Link>
      {maySearch && <IconButton label="Search" icon={IconSearch} iconSize={20} size="lg" onClick={search} />}
      <IconButton label="Menu" icon={IconMenu2} iconSize={20} size="lg" onClick={() => setOpen(true)} />
      <BottomSheet opened={isOpen} onClose={close} label="Menu">
        <PhoneMenu user={user} onClose={close} />
      </BottomSheet>
    </header>
  )
}
