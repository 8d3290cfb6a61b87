/** The place of toasts, a chunk of its own. Toasts shown before it has loaded wait for it. */
import { Notifications } from '@mantine/notifications'
import styles from './toast.module.css'

/** Further toasts wait until one is gone. */
const limit = 20

/** Above the footer, which stays readable. */
export function Toasts() {
  return <Notifications position="bottom-center" limit={limit} containerWidth={560} className={styles.place} />
}
