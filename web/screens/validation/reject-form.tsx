/** The second step of a rejection: an optional reason. */
import { Button, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { maxCommentLength } from '../../../src/api/limits.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './reject-form.module.css'

interface RejectFormProps {
  name: string
  /** The id of the element with the folder's path. */
  pathId: string
  /** The initial text. */
  reason: string | undefined
  onCancel: () => void
  onReject: (comment: string) => void
}

const showWhole = (form: HTMLFormElement | null) => form?.scrollIntoView({ block: 'nearest' })

export function RejectForm({ name, pathId, reason = '', onCancel, onReject }: RejectFormProps) {
  const [comment, setComment] = useState(reason)
  const size = usePhone() ? 'lg' : 'sm'
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onReject(comment.trim())
  }
  return (
    <form
      ref={showWhole}
      className={styles.form}
      aria-label={`Reject ${name}`}
      aria-describedby={pathId}
      onSubmit={submit}
      onKeyDown={event => {
        if (event.key === 'Escape') onCancel()
      }}
    >
      <Textarea
        label="Reason (optional)"
        rows={2}
        autosize={false}
        maxLength={maxCommentLength}
        value={comment}
        autoFocus
        onChange={event => setComment(event.currentTarget.value)}
      />
      <div className={styles.actions}>
        <Button variant="default" size={size} onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" size={size} data-tone="danger">
          Reject
        </Button>
      </div>
    </form>
  )
}
