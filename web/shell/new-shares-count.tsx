/** How much was shared with the user since they last looked, next to the section's name; nothing for none. */
import { VisuallyHidden } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { maxNewShown, newSharesQuery } from '../lib/data/new-shares.ts'
import { whenQuiet } from '../lib/server/when-quiet.ts'
import styles from './pending-count.module.css'

export function NewSharesCount() {
  const [isQuiet, setQuiet] = useState(false)
  useEffect(() => void whenQuiet().then(() => setQuiet(true)), [])
  const { data: count = 0 } = useQuery({ ...newSharesQuery, enabled: isQuiet })
  if (count === 0) return null
  return (
    <span className={styles.count}>
      {count}
      {count === maxNewShown && '+'}
      <VisuallyHidden> new</VisuallyHidden>
    </span>
  )
}
