/** Asks before a key approves a file, which cannot be taken back; Enter confirms. */
import { Button } from '@mantine/core'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { usePhone } from '../../ui/use-phone.ts'

interface ApproveDialogProps {
  opened: boolean
  name: string
  onClose: () => void
  onApprove: () => void
}

export function ApproveDialog({ opened, name, onClose, onApprove }: ApproveDialogProps) {
  const size = usePhone() ? 'lg' : 'sm'
  const approve = () => {
    onClose()
    onApprove()
  }
  return (
    <Dialog opened={opened} onClose={onClose} title={`Approve ${name}?`}>
      Everybody who sees its folder will see it. This cannot be undone.
      <DialogActions>
        <Button variant="default" size={size} onClick={onClose}>
          Cancel
        </Button>
        <Button size={size} onClick={approve} data-autofocus>
          Approve
        </Button>
      </DialogActions>
    </Dialog>
  )
}
