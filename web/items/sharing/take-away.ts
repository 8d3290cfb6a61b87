/** Takes access away from a person or group, with an offer to give it back. */
import type { ShareLevel } from '../../../src/api/share-levels.ts'
import { giveAccess, removeAccess } from '../../lib/data/shares.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { showError, showToast } from '../../ui/toast.tsx'

interface Taken {
  /** The share's id. */
  id: number
  who: { kind: string; id: number; name: string }
  level: ShareLevel
  expires_at: string | null
}

/** Throws the server's error. */
export async function takeAway(itemId: number, { id, who, level, expires_at }: Taken): Promise<void> {
  await removeAccess(itemId, id)
  const whom = who.kind === 'group' ? { group_name: who.name } : { username: who.name }
  const giveBack = () =>
    void giveAccess({ item_id: itemId, ...whom, level, expires_at }).catch(error =>
      showError(messageOf(error, 'Failed to share')),
    )
  // The server refuses an end that is over.
  const isOver = expires_at !== null && Date.parse(expires_at) <= Date.now()
  showToast({
    tone: 'success',
    message: `${who.name} no longer has access`,
    ...(isOver ? {} : { action: { label: 'Undo', run: giveBack }, isUndo: true }),
  })
}
