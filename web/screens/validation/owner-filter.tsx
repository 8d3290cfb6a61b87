/** Filters the queue by owner: many files of one user would hide everybody else's. */
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { pendingOwnersQuery } from '../../lib/data/pending.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './owner-filter.module.css'

interface OwnerFilterProps {
  /** A username; null for all owners. */
  owner: string | null
  onChange: (owner: string | null) => void
}

/** Renders nothing when all files have one owner and no filter is set. */
export function OwnerFilter({ owner, onChange }: OwnerFilterProps) {
  const size = usePhone() ? 'lg' : 'sm'
  const { data: owners = [] } = useQuery(pendingOwnersQuery)
  if (owners.length < 2 && owner === null) return null
  const choices = owners.map(({ owner: name, count }) => ({
    value: name,
    label: `${name} (${count.toLocaleString('en-US')})`,
  }))
  return (
    <NativeSelect
      className={styles.filter}
      aria-label="Owner"
      size={size}
      data={[{ value: '', label: 'All owners' }, ...choices]}
      value={owner ?? ''}
      onChange={({ currentTarget: { value } }) => onChange(value === '' ? null : value)}
    />
  )
}
