/** Short notices at the window's lower edge: an icon, one sentence and at most one action. */
import { Button } from '@mantine/core'
import { type NotificationData, notifications } from '@mantine/notifications'
import { IconAlertCircleFilled, IconCircleCheckFilled } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import styles from './toast.module.css'

/** Milliseconds that a toast stays; one with an action stays as long as an error, so that it can be reached. */
const stay = { success: 2_000, error: 4_000, action: 4_000 }

/** More than this many wait until one has gone. */
export const toastLimit = 20

/** Where toasts stand: above the footer, so that it can still be read. */
export const toastPlace = styles.place

interface Toast {
  tone: 'success' | 'error'
  message: ReactNode
  action?: { label: string; run: () => void }
  position?: NotificationData['position']
}

export function showToast({ tone, message, action, position }: Toast): void {
  const id = notifications.show({
    position,
    classNames: styles,
    withCloseButton: false,
    autoClose: action === undefined ? stay[tone] : stay.action,
    icon: tone === 'success' ? <IconCircleCheckFilled size={18} /> : <IconAlertCircleFilled size={18} />,
    'data-tone': tone,
    message: (
      <span className={styles.line}>
        <span className={styles.text}>{message}</span>
        {action && (
          <Button
            variant="subtle"
            size="xs"
            className={styles.action}
            onClick={() => {
              notifications.hide(id)
              action.run()
            }}
          >
            {action.label}
          </Button>
        )}
      </span>
    ),
  })
}

export const showError = (message: string): void => showToast({ tone: 'error', message })
