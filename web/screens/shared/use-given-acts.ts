/** Changing and ending what the user shares with others. */
import { IconFolderOpen, IconUserOff, IconUsersPlus } from '@tabler/icons-react'
import type { Share } from '../../../src/api/shares.ts'
import type { ItemActions } from '../../items/actions/use-item-actions.tsx'
import { type Problem, useProblem } from '../../items/actions/use-problem.ts'
import { takeAway } from '../../items/sharing/take-away.ts'
import { useShowInFolder } from '../../items/show-in-folder.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { openGroup } from './open-group.ts'
import type { ShareActs } from './share-row.ts'

interface GivenActs {
  menuOf: ShareActs['menuOf']
  problem: Problem | null
  dismiss: () => void
}

/** `shares` are the rows' shares. */
export function useGivenActs(shares: readonly Share[], actions: ItemActions): GivenActs {
  const [problem, setProblem] = useProblem()
  const showInFolder = useShowInFolder()
  const stop = (id: number, onLeave: () => void) => {
    const share = shares.find(one => one.id === id)
    if (share === undefined) return
    setProblem(null)
    onLeave()
    takeAway(share.item.id, share).catch(error =>
      setProblem({ title: 'Failed to stop sharing', reason: reasonOf(error) }),
    )
  }
  return {
    menuOf: ({ id, item }, onLeave) => [
      [...openGroup(item, actions), { label: 'Show in folder', icon: IconFolderOpen, run: () => showInFolder(item) }],
      [{ label: 'Change access…', icon: IconUsersPlus, run: () => actions.share(item) }],
      [{ label: 'Stop sharing', icon: IconUserOff, tone: 'danger', run: () => stop(id, onLeave) }],
    ],
    problem,
    dismiss: () => setProblem(null),
  }
}
