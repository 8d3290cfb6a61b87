/** Copying, pausing and ending links from their list. */
import { IconCopy, IconFolderOpen, IconPencil, IconPlayerPause, IconPlayerPlay, IconUnlink } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { getFile } from '../../../src/api/files.ts'
import type { FileDetails } from '../../../src/api/items.ts'
import type { Link } from '../../../src/api/links.ts'
import { type Problem, useProblem } from '../../items/actions/use-problem.ts'
import { copyLink } from '../../items/sharing/links/copy-link.ts'
import { EndLinkDialog } from '../../items/sharing/links/end-link-dialog.tsx'
import { openShareDialog } from '../../items/sharing/share-dialog-state.ts'
import { useShowInFolder } from '../../items/show-in-folder.ts'
import { changeLink } from '../../lib/data/links.ts'
import { call, reasonOf } from '../../lib/server/call.ts'
import { showToast } from '../../ui/toast.tsx'
import type { RowActs } from './look.ts'

interface OwnLinkActs {
  menuOf: RowActs<Link>['menuOf']
  problem: Problem | null
  dismiss: () => void
  /** The question before a link ends; the caller renders it. */
  question: ReactNode
}

/** The link that the user is asked about, and what to call before it leaves the list. */
interface Ending {
  link: Link
  onLeave: () => void
}

export function useOwnLinkActs(): OwnLinkActs {
  const [problem, setProblem] = useProblem()
  const [ending, setEnding] = useState<Ending | null>(null)
  const showInFolder = useShowInFolder()
  const attempt = (work: Promise<unknown>, title: string) => {
    setProblem(null)
    work.catch(error => setProblem({ title, reason: reasonOf(error) }))
  }
  /** Runs an action on what a link is on. */
  const onItem = (act: (item: FileDetails) => void, title: string, { item_id }: Link) =>
    attempt(
      call(getFile, { id: item_id }).then(({ file }) => act(file)),
      title,
    )
  const setActive = (link: Link, is_active: boolean) =>
    attempt(
      changeLink(link, { is_active }).then(() =>
        showToast({ tone: 'success', message: is_active ? 'Link resumed' : 'Link paused' }),
      ),
      is_active ? 'Failed to resume the link' : 'Failed to pause the link',
    )
  const menuOf: OwnLinkActs['menuOf'] = (link, onLeave) => {
    const { url, item, is_active } = link
    return [
      [
        ...(url === null ? [] : [{ label: 'Copy link', icon: IconCopy, run: () => void copyLink(url) }]),
        ...(item === null
          ? []
          : [
              {
                label: 'Show in folder',
                icon: IconFolderOpen,
                run: () => onItem(showInFolder, 'Failed to show it in its folder', link),
              },
            ]),
      ],
      item === null
        ? []
        : [
            {
              label: 'Change…',
              icon: IconPencil,
              run: () => onItem(openShareDialog, 'Failed to open its links', link),
            },
            is_active
              ? { label: 'Pause', icon: IconPlayerPause, run: () => setActive(link, false) }
              : { label: 'Resume', icon: IconPlayerPlay, run: () => setActive(link, true) },
          ],
      [{ label: 'End link…', icon: IconUnlink, tone: 'danger' as const, run: () => setEnding({ link, onLeave }) }],
    ].filter(group => group.length > 0)
  }
  return {
    menuOf,
    problem,
    dismiss: () => setProblem(null),
    question: (
      <EndLinkDialog link={ending?.link ?? null} onClose={() => setEnding(null)} onEnd={() => ending?.onLeave()} />
    ),
  }
}
