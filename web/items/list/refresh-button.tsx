/** The button that refetches everything on screen; its icon spins meanwhile. */
import { IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import styles from './refresh-button.module.css'

export function RefreshButton({ onRefresh }: { onRefresh: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    await onRefresh()
    setBusy(false)
  }
  return (
    <IconButton
      label="Refresh"
      icon={IconRefresh}
      size="md"
      className={styles.button}
      aria-busy={isBusy || undefined}
      onClick={() => void refresh()}
    />
  )
}
