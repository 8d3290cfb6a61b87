/** Short notices at the window's lower edge: an icon, one sentence and at most one action. */
import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { IconAlertCircleFilled, IconCircleCheckFilled, IconInfoCircle, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './toast.module.css'
import { offerUndoing } from './undo.ts'

/** ms for which a toast stays. One with an action stays as long as an error, so that its button can be reached. */
const stay = { success: 2_000, error: 4_000, notice: 4_000, action: 4_000 }

const icons = {
  success: <IconCircleCheckFilled size={18} />,
  error: <IconAlertCircleFilled size={18} />,
  notice: <IconInfoCircle size={18} stroke={1.75} />,
  loading: <IconRefresh size={18} stroke={1.75} />,
}

interface Toast {
  /** `notice` is quiet; `loading` stays until it is taken away. */
  tone: keyof typeof icons
  message: ReactNode
  action?: { label: string; run: () => void }
  /** Whether the action takes back what was done: then Ctrl+Z does so too, also when the toast has gone. */
  isUndo?: boolean
  position?: NotificationData['position']
}

/** Gives back what takes the toast away. */
export function showToast({ tone, message, action, isUndo = false, position }: Toast): () => void {
  const run = () => {
    forget()
    notifications.hide(id)
    action?.run()
  }
  const forget = isUndo ? offerUndoing(run) : () => undefined
  const id: string = notifications.show({
    position,
    classNames: styles,
    withCloseButton: false,
    autoClose: tone !== 'loading' && (action === undefined ? stay[tone] : stay.action),
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
            className={styles.action}
            onClick={event => {
              // The toast fades for a moment: meanwhile keys are to reach the page, not the button that goes.
              event.currentTarget.blur()
              run()
            }}
          >
            {action.label}
          </Button>
        )}
      </span>
    ),
  })
  return () => notifications.hide(id)
}

/** Milliseconds before what goes on is told. */
const patience = 500

/** Tells what is going on, once it lasts and as long as it does. */
export async function showWhile<Result>(work: Promise<Result>, message: ReactNode): Promise<Result> {
  let hide = () => {}
  const timer = setTimeout(() => {
    hide = showToast({ tone: 'loading', message })
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

/** For what went wrong beside the work at hand: grey, gone by itself or by Dismiss. */
export function showNotice(message: ReactNode): void {
  showToast({ tone: 'notice', message, action: { label: 'Dismiss', run: () => undefined } })
}
