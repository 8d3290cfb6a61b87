/** The menu of a link's row: change it, stop it for a while or for good, take it over. */
import {
  IconDots,
  IconDotsVertical,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconUnlink,
  IconUserShare,
} from '@tabler/icons-react'
import { type RefObject, useState } from 'react'
import type { Link } from '../../../../src/api/links.ts'
import { useAuth } from '../../../lib/server/auth-store.ts'
import { ActionMenu } from '../../../ui/action-menu.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { MenuPlace } from '../../../ui/menu-props.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { LinkName, nameOfLink } from './link-name.tsx'
import styles from './links.module.css'
import type { LinkActs } from './use-link-acts.tsx'

interface LinkMenuProps {
  link: Link
  acts: LinkActs
  /** Gets the focus back. */
  opener: RefObject<HTMLButtonElement | null>
  /** Opens the form that changes the link. */
  onChange: () => void
}

export function LinkMenu({ link, acts, opener, onChange }: LinkMenuProps) {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const userId = useAuth(({ user }) => user?.id)
  const look = usePhone() ? ({ icon: IconDotsVertical, size: 'lg', iconSize: 20 } as const) : { icon: IconDots }
  const isOfOther = link.made_by?.id !== userId
  return (
    <>
      <IconButton
        ref={opener}
        label={`More actions for ${nameOfLink(link)}`}
        title="More actions"
        aria-haspopup="menu"
        data-next
        {...look}
        onClick={({ currentTarget }) => setPlace(currentTarget.getBoundingClientRect())}
      />
      <ActionMenu
        place={place}
        groups={[
          [
            { label: 'Change…', icon: IconPencil, run: onChange },
            link.is_active
              ? { label: 'Pause', icon: IconPlayerPause, run: acts.pause }
              : { label: 'Resume', icon: IconPlayerPlay, run: acts.resume },
            ...(isOfOther ? [{ label: 'Take over', icon: IconUserShare, run: acts.takeOver }] : []),
          ],
          [{ label: 'End link…', icon: IconUnlink, tone: 'danger' as const, run: acts.end }],
        ]}
        label={`Actions for ${nameOfLink(link)}`}
        head={
          <b className={styles.menuHead}>
            <LinkName link={link} />
          </b>
        }
        onClose={() => {
          setPlace(null)
          opener.current?.focus()
        }}
      />
    </>
  )
}
