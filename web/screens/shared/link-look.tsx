/** How the list of links looks: what each is on, its label, what it was used for, what it allows, whether it works. */
import type { Link } from '../../../src/api/links.ts'
import { readableAddress } from '../../items/sharing/links/link-address.ts'
import { stateOfLink } from '../../items/sharing/links/link-badge.tsx'
import { wordsOfTerms } from '../../items/sharing/links/link-terms.ts'
import { wordsOfUse } from '../../items/sharing/links/link-use.ts'
import { DesktopCells, PhoneCells } from './link-cells.tsx'
import type { Look } from './look.ts'
import styles from './shared-list.module.css'

export const linkLook: Look<Link> = {
  heads: ['Name', 'Label', 'Used', 'Access', 'State'],
  nameOf: ({ item, label }) => item?.name ?? label ?? 'Link',
  Desktop: DesktopCells,
  Phone: PhoneCells,
  printed: [
    { head: 'Name', cell: ({ item }) => item?.name ?? '' },
    { head: 'Label', cell: ({ label, url }) => [label, url && readableAddress(url)].filter(Boolean).join(' ') },
    { head: 'Used', cell: wordsOfUse },
    { head: 'Access', cell: wordsOfTerms },
    { head: 'State', isShort: true, cell: stateOfLink },
  ],
  className: styles.links,
}
