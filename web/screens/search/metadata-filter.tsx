/** Filters by the value of one metadata field. */
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MetadataField } from '../../../src/api/metadata.ts'
import { uploadFieldsQuery } from '../../lib/data/metadata.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { useMay } from '../../lib/server/permissions.ts'
import { usePhone } from '../../ui/use-phone.ts'
import type { FilterProps } from './filter-props.ts'
import { readMeta } from './read-meta.ts'
import { TextFilter } from './text-filter.tsx'

export function MetadataFilter({ params, onFilter }: FilterProps) {
  const mayAsk = useMay('files:upload')
  const size = usePhone() ? 'lg' : 'sm'
  const { data: fields = [], error } = useQuery({ ...uploadFieldsQuery(null), enabled: mayAsk })
  const { name, value } = readMeta(params.meta)
  const [chosen, setChosen] = useState(name)
  const current = fields.find(field => field.name === (name || chosen))
  if (fields.length === 0 && !error && name === '') return null
  const choices = fields.map(field => ({ value: field.name, label: field.label }))
  // Show the filtered field even if it is unknown.
  if (name !== '' && current === undefined) choices.push({ value: name, label: name })
  const choose = (next: string) => {
    setChosen(next)
    if (name !== '') onFilter({ meta: undefined })
  }
  return (
    <>
      <NativeSelect
        label="Metadata field"
        size={size}
        data={[{ value: '', label: 'None' }, ...choices]}
        value={current?.name ?? name}
        error={error && messageOf(error, 'Failed to load metadata fields')}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
      {current && (
        <ValueFilter
          key={current.name}
          field={current}
          value={value}
          onChange={next => onFilter({ meta: next === '' ? undefined : `${current.name}:${next}` })}
        />
      )}
    </>
  )
}

interface ValueFilterProps {
  field: MetadataField
  value: string
  onChange: (value: string) => void
}

function choicesOf({ field_type, options }: MetadataField): { value: string; label: string }[] | null {
  if (field_type === 'checkbox') {
    return [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ]
  }
  return field_type === 'select' ? (options ?? []).map(option => ({ value: option, label: option })) : null
}

function ValueFilter({ field, value, onChange }: ValueFilterProps) {
  const size = usePhone() ? 'lg' : 'sm'
  const choices = choicesOf(field)
  if (choices === null) {
    return (
      <TextFilter
        label={field.label}
        type={field.field_type === 'date' ? 'date' : 'text'}
        value={value}
        onChange={onChange}
      />
    )
  }
  return (
    <NativeSelect
      label={field.label}
      size={size}
      data={[{ value: '', label: 'Any value' }, ...choices]}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
