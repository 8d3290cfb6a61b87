/** Asks for the reason that several rejected files share. */
import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { maxCommentLength } from '../../../src/api/limits.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { useLast } from '../../ui/use-last.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { fileCount } from '../counts.ts'

interface RejectDialogProps {
  /** How many files; 0 while the dialog is closed. */
  count: number
  /** The initial text. */
  reason: string
  onClose: () => void
  /** Called with the reason, which may be empty; then the dialog is closed. */
  onReject: (comment: string) => void
}

export function RejectDialog({ count, ...rest }: RejectDialogProps) {
  // Keep the title while the dialog closes.
  const shown = useLast(count === 0 ? null : count) ?? 0
  return (
    <Dialog opened={count > 0} onClose={rest.onClose} title={`Reject ${fileCount(shown)}`} closeOnClickOutside={false}>
      <ReasonForm {...rest} />
    </Dialog>
  )
}

function ReasonForm({ reason, onClose, onReject }: Omit<RejectDialogProps, 'count'>) {
  const [comment, setComment] = useState(reason)
  const size = usePhone() ? 'lg' : 'sm'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    onReject(comment.trim())
  }
  return (
    <form onSubmit={submit}>
      <Textarea
        label="Reason (optional)"
        rows={3}
        autosize={false}
        maxLength={maxCommentLength}
        value={comment}
        data-autofocus
        onChange={event => setComment(event.currentTarget.value)}
      />
      <DialogActions>
        <Button variant="default" size={size} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size={size} data-tone="danger">
          Reject
        </Button>
      </DialogActions>
    </form>
  )
}
