/** Short notices at the bottom of the window: an icon, one sentence and at most one action. */
import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { IconAlertCircleFilled, IconCircleCheckFilled, IconInfoCircle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './toast.module.css'
import { offerUndoing } from './undo.ts'

/** How long a toast stays, in ms. One with an action stays as long as an error, so that the user can reach it. */
const stay = { success: 2_000, error: 4_000, notice: 4_000, action: 4_000 }

const icons = {
  success: <IconCircleCheckFilled size={18} />,
  error: <IconAlertCircleFilled size={18} />,
  notice: <IconInfoCircle size={18} stroke={1.75} />,
  loading: <IconRefresh size={18} stroke={1.75} />,
}

interface Toast {
  /** `notice` is quiet; `loading` stays until it is removed. */
  tone: keyof typeof icons
  message: ReactNode
  action?: { label: string; run: () => void }
  /** Whether the action is an Undo. Then Ctrl+Z runs it too, even after the toast is gone. */
  isUndo?: boolean
  /** A control after the message. */
  control?: ReactNode
  /** Whether it stays until the user closes it. */
  stays?: boolean
  position?: NotificationData['position']
}

/** Returns a function that removes the toast. */
export function showToast(toast: Toast): () => void {
  const { tone, message, action, isUndo = false, control, stays = false, position } = toast
  const run = () => {
    forget()
    notifications.hide(id)
    action?.run()
  }
  const forget = isUndo ? offerUndoing(run) : () => undefined
  const id: string = notifications.show({
    position,
    classNames: styles,
    withCloseButton: stays,
    closeButtonProps: { 'aria-label': 'Dismiss' },
    autoClose: !stays && tone !== 'loading' && (action === undefined ? stay[tone] : stay.action),
    role: tone === 'error' ? 'alert' : 'status',
    icon: icons[tone],
    'data-tone': tone,
    message: (
      <span className={styles.line}>
        <span className={styles.text}>{message}</span>
        {action && (
          <Button
            variant="subtle"
            size="xs"
            onClick={event => {
              // The toast fades out for a moment. Keys pressed then must reach the page, not the vanishing button.
              event.currentTarget.blur()
              run()
            }}
          >
            {action.label}
          </Button>
        )}
        {control}
      </span>
    ),
  })
  return () => notifications.hide(id)
}

/** Milliseconds before the message for running work appears. */
const patience = 500

/** Shows a message while work runs, if it takes long enough. `control` follows the message. */
export async function showWhile<Result>(
  work: Promise<Result>,
  message: ReactNode,
  control?: ReactNode,
): Promise<Result> {
  let hide = () => {}
  const timer = setTimeout(() => {
    hide = showToast({ tone: 'loading', message, control })
  }, patience)
  try {
    return await work
  } finally {
    clearTimeout(timer)
    hide()
  }
}

export function showError(message: string): void {
  showToast({ tone: 'error', message })
}

/** For a failure besides the current task: grey, disappears by itself or through Dismiss. */
export function showNotice(message: ReactNode): void {
  showToast({ tone: 'notice', message, action: { label: 'Dismiss', run: () => undefined } })
}
