/** The links that the user answers for, with what each was used for and whether it works. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { Link } from '../../../src/api/links.ts'
import { folderRoute } from '../../items/show-in-folder.ts'
import { ownLinksQuery } from '../../lib/data/links.ts'
import { linkLook } from './link-look.tsx'
import { SharedPages } from './shared-pages.tsx'
import { useOwnLinkActs } from './use-own-link-acts.tsx'

const noLinks: readonly Link[] = []

const empty = {
  title: 'You have no links yet',
  sentence: 'Choose a file or folder and press Share… in its menu to make a link for people without an account',
}

export function LinksTab() {
  const query = useInfiniteQuery(ownLinksQuery)
  const rows = query.data?.pages.flatMap(page => page.links) ?? noLinks
  const acts = useOwnLinkActs()
  const navigate = useNavigate()
  const open = ({ item, item_id }: Link) => {
    if (item === null) return
    if (item.is_directory) void navigate(folderRoute(item_id))
    else void navigate({ to: '/view/$fileId', params: { fileId: String(item_id) } })
  }
  return (
    <>
      <SharedPages
        query={query}
        failure="Failed to load your links"
        empty={empty}
        rows={rows}
        look={linkLook}
        label="My links"
        acts={{ open, menuOf: acts.menuOf }}
        problem={acts.problem}
        onDismiss={acts.dismiss}
      />
      {acts.question}
    </>
  )
}
