/** Where toasts appear, in a chunk of its own: those that are shown before it has come wait for it. */
import { Notifications } from '@mantine/notifications'
import styles from './toast.module.css'

/** More than this many wait until one has gone. */
const limit = 20

/** Above the footer, so that it can still be read. */
export function Toasts() {
  return <Notifications position="bottom-center" limit={limit} containerWidth={560} className={styles.place} />
}
