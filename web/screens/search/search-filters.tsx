/** The filters of a search. All are kept in the address and applied by the server. */
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { countFilters, readSearch } from '../../lib/data/search.ts'
import { tagsQuery } from '../../lib/data/tags.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { kindChoices, statusChoices } from './filter-choices.ts'
import type { FilterProps } from './filter-props.ts'
import { MetadataFilter } from './metadata-filter.tsx'
import { noFilters } from './no-filters.ts'
import styles from './search-filters.module.css'
import { TextFilter } from './text-filter.tsx'

export function SearchFiltersPanel({ params, onFilter }: FilterProps) {
  const size = usePhone() ? 'lg' : 'sm'
  return (
    <section className={styles.panel} aria-label="Filters">
      <div className={styles.fields}>
        <NativeSelect
          label="Kind"
          size={size}
          data={kindChoices}
          value={params.mime_type ?? ''}
          // The longest option does not fit, so a tooltip shows it.
          title={kindChoices.find(({ value }) => value === (params.mime_type ?? ''))?.label}
          onChange={({ currentTarget }) => onFilter({ mime_type: currentTarget.value || undefined })}
        />
        <TagFilter params={params} onFilter={onFilter} />
        <NativeSelect
          label="Status"
          size={size}
          data={statusChoices}
          value={params.status ?? ''}
          onChange={({ currentTarget }) => onFilter({ status: readSearch({ status: currentTarget.value }).status })}
        />
        <TextFilter
          label="Changed from"
          type="date"
          value={params.date_from ?? ''}
          onChange={date => onFilter({ date_from: date || undefined })}
        />
        <TextFilter
          label="Changed until"
          type="date"
          value={params.date_to ?? ''}
          onChange={date => onFilter({ date_to: date || undefined })}
        />
        <SizeFilter label="Min size (MB)" bytes={params.min_size} onChange={min_size => onFilter({ min_size })} />
        <SizeFilter label="Max size (MB)" bytes={params.max_size} onChange={max_size => onFilter({ max_size })} />
        <MetadataFilter params={params} onFilter={onFilter} />
      </div>
      <Button
        variant="subtle"
        size={size === 'lg' ? 'lg' : 'xs'}
        disabled={countFilters(params) === 0}
        title={countFilters(params) === 0 ? 'No filter is in force' : undefined}
        onClick={() => onFilter(noFilters)}
      >
        Clear filters
      </Button>
    </section>
  )
}

const megabyte = 1024 ** 2

interface SizeFilterProps {
  label: string
  bytes: number | undefined
  onChange: (bytes: number | undefined) => void
}

function SizeFilter({ label, bytes, onChange }: SizeFilterProps) {
  const change = (text: string) => {
    const size = Number(text.replace(',', '.'))
    onChange(text.trim() === '' || !(size >= 0) ? undefined : Math.round(size * megabyte))
  }
  const shown = bytes === undefined ? '' : String(Number((bytes / megabyte).toFixed(6)))
  return <TextFilter label={label} type="text" inputMode="decimal" value={shown} onChange={change} />
}

function TagFilter({ params, onFilter }: FilterProps) {
  const mayRead = useMay('tags:read')
  const size = usePhone() ? 'lg' : 'sm'
  const { data, error } = useQuery({ ...tagsQuery, enabled: mayRead })
  if (!mayRead) return null
  const chosen = params.tag_id === undefined ? '' : String(params.tag_id)
  const tags = data?.map(({ id, name }) => ({ value: String(id), label: name })) ?? []
  // Show the filtered tag even if it is unknown.
  if (chosen !== '' && !tags.some(({ value }) => value === chosen)) tags.push({ value: chosen, label: 'Unknown tag' })
  return (
    <NativeSelect
      label="Tag"
      size={size}
      data={[{ value: '', label: 'Any tag' }, ...tags]}
      value={chosen}
      error={error && messageOf(error, 'Failed to load tags')}
      onChange={({ currentTarget }) => onFilter({ tag_id: Number(currentTarget.value) || undefined })}
    />
  )
}
