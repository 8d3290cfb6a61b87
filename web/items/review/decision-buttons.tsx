/** Reject and Approve for one file that waits. */
import { Button } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { ButtonHTMLAttributes } from 'react'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './decision-buttons.module.css'

type Attributes = Pick<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'title' | 'aria-label' | 'aria-describedby' | 'aria-keyshortcuts' | 'autoFocus'
>

interface DecisionButtonsProps {
  rejecting: Attributes
  approving: Attributes
  /** Whether the file has been in its place long enough that a click is meant for it. */
  hasStood: () => boolean
  onReject: () => void
  onApprove: () => void
}

export function DecisionButtons({ rejecting, approving, hasStood, onReject, onApprove }: DecisionButtonsProps) {
  const size = usePhone() ? 'lg' : 'sm'
  return (
    <>
      <Button
        variant="default"
        size={size}
        leftSection={<IconX size={16} stroke={1.75} aria-hidden />}
        {...rejecting}
        onClick={onReject}
      >
        Reject
      </Button>
      <Button
        variant="default"
        size={size}
        className={styles.approve}
        leftSection={<IconCheck size={16} stroke={1.75} aria-hidden />}
        {...approving}
        data-next
        onKeyDown={event => {
          // A key that is held down would approve files that nobody has seen.
          if (event.repeat) event.preventDefault()
        }}
        onClick={({ detail }) => {
          if (detail === 0 || hasStood()) onApprove()
        }}
      >
        Approve
      </Button>
    </>
  )
}
