/** Asks before a link ends. That cannot be undone: nobody can make the same address again. */
import type { Link } from '../../../../src/api/links.ts'
import { endLink } from '../../../lib/data/links.ts'
import { messageOf } from '../../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { useLast } from '../../../ui/use-last.ts'

interface EndLinkDialogProps {
  /** Null while nothing is asked. */
  link: Link | null
  onClose: () => void
  /** Called before the link leaves its list. */
  onEnd: (link: Link) => void
}

export function EndLinkDialog({ link, onClose, onEnd }: EndLinkDialogProps) {
  const asked = useLast(link)
  if (asked === null) return null
  const { label, is_active } = asked
  return (
    <ConfirmDialog
      opened={link !== null}
      onClose={onClose}
      title="End link?"
      confirm="End link"
      busy="Ending..."
      onConfirm={async () => {
        onEnd(asked)
        await endLink(asked)
      }}
      failed={error => messageOf(error, 'Failed to end the link')}
    >
      The address of {label === null ? 'this link' : <strong dir="auto">{label}</strong>} stops working for good.
      {is_active && ' To stop it for a while, pause it instead.'}
    </ConfirmDialog>
  )
}
