/** The control for a metadata field, by the field's type; an unknown type gets a text field. */
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { FieldType, MetadataField } from '../../src/api/metadata.ts'
import { usePhone } from '../ui/use-phone.ts'
import styles from './metadata-field.module.css'

interface MetadataFieldInputProps {
  field: Pick<MetadataField, 'label' | 'description' | 'field_type' | 'options' | 'is_required'>
  /** 'true' or 'false' for a checkbox; empty means no value. */
  value: string
  onChange: (value: string) => void
  /** The error, as a sentence. */
  error?: string
  disabled?: boolean
  /** Whether it gets the focus when its dialog opens. */
  isFirst?: boolean
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** How the sentence `{label} must be …` ends for input that the browser rejects, in the server's words. */
const mustBe: Partial<Record<FieldType, string>> = {
  number: 'a number such as 12.5',
  date: 'a date such as 2026-12-31',
  email: 'an email address',
  url: 'an address that begins with http:// or https://',
}

/** The options of a select: none, the field's options, and a current value that is no longer among them. */
function choicesOf(options: readonly string[] | null, value: string) {
  const known = options ?? []
  const listed = value === '' || known.includes(value) ? known : [...known, value]
  return [{ value: '', label: 'Not set' }, ...listed.map(option => ({ value: option, label: option }))]
}

/**
 * For use in a form. When the form is submitted (or `reportValidity` is called) with a malformed value, the browser
 * stops it and the field shows an error. The form itself checks whether required fields are filled.
 */
export function MetadataFieldInput({ field, value, onChange, error, disabled, isFirst }: MetadataFieldInputProps) {
  const [isUnfit, setUnfit] = useState(false)
  const size = usePhone() ? 'lg' : 'sm'
  const { label, field_type: type } = field
  const shown = isUnfit ? `${label} must be ${mustBe[type] ?? 'filled in differently'}` : error
  const common = {
    label,
    description: field.description || undefined,
    error: shown,
    disabled,
    'aria-required': field.is_required || undefined,
    'data-autofocus': isFirst || undefined,
  }
  if (type === 'checkbox') {
    return (
      <Checkbox
        {...common}
        label={field.is_required ? <RequiredLabel>{label}</RequiredLabel> : label}
        checked={value === 'true'}
        onChange={({ currentTarget }) => onChange(currentTarget.checked ? 'true' : 'false')}
      />
    )
  }
  const control = {
    ...common,
    size,
    value,
    withAsterisk: field.is_required,
    onChange: ({ currentTarget }: FormEvent<Control>) => {
      setUnfit(false)
      onChange(currentTarget.value)
    },
    onInvalid: (event: FormEvent<Control>) => {
      // Show the error here instead of in the browser's own bubble.
      event.preventDefault()
      setUnfit(true)
      const { currentTarget } = event
      const first = currentTarget.form?.querySelector(':is(input, textarea, select):invalid')
      if (first === currentTarget) currentTarget.focus()
    },
  }
  if (type === 'textarea') return <Textarea {...control} rows={3} resize="vertical" />
  if (type === 'select') return <NativeSelect {...control} data={choicesOf(field.options, value)} />
  if (type === 'text') return <TextInput {...control} dir="auto" />
  return <TextInput {...control} type={type} step={type === 'number' ? 'any' : undefined} />
}

function RequiredLabel({ children }: { children: string }) {
  return (
    <>
      {children}
      <span className={styles.asterisk} aria-hidden>
        {' *'}
      </span>
    </>
  )
}
