/** The order of the results. */
import { NativeSelect } from '@mantine/core'
import { sortKeys } from '../../../src/api/files.ts'
import type { SearchOrder } from '../../lib/data/search.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './order-choice.module.css'

const choices = [
  { value: '', label: 'Newest first' },
  { value: 'name', label: 'Name, A to Z' },
  { value: 'name desc', label: 'Name, Z to A' },
  { value: 'date desc', label: 'Last changed first' },
  { value: 'date', label: 'Longest unchanged first' },
  { value: 'size desc', label: 'Largest first' },
  { value: 'size', label: 'Smallest first' },
  { value: 'type', label: 'Type, A to Z' },
  { value: 'type desc', label: 'Type, Z to A' },
]

function read(value: string): SearchOrder {
  const [key, order] = value.split(' ')
  return { sort: sortKeys.find(sort => sort === key), order: order === 'desc' ? 'desc' : undefined }
}

interface OrderChoiceProps {
  params: SearchOrder
  onChange: (order: SearchOrder) => void
}

export function OrderChoice({ params: { sort, order }, onChange }: OrderChoiceProps) {
  return (
    <NativeSelect
      className={styles.choice}
      aria-label="Order of the results"
      size={usePhone() ? 'lg' : 'sm'}
      data={choices}
      value={[sort, order].filter(Boolean).join(' ')}
      onChange={({ currentTarget }) => onChange(read(currentTarget.value))}
    />
  )
}
