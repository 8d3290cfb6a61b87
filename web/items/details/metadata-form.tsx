/** The form for a file's metadata, with the server's errors at the fields. */
import { Button } from '@mantine/core'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../../src/api/client.ts'
import type { FileItem, ItemMetadata } from '../../../src/api/items.ts'
import type { MetadataField } from '../../../src/api/metadata.ts'
import { saveMetadata } from '../../lib/data/metadata.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { usePhone } from '../../ui/use-phone.ts'
import { MetadataFieldInput } from '../metadata-field.tsx'
import type { Draft } from './drafts.ts'
import styles from './metadata.module.css'

interface MetadataFormProps {
  file: FileItem
  values: readonly ItemMetadata[]
  fields: readonly MetadataField[]
  draft: Draft
  onChange: (draft: Draft) => void
  /** Called after saving or cancelling. */
  onClose: () => void
}

interface Problems {
  /** By field name. */
  fields: Record<string, string>
  /** An error that belongs to no visible field. */
  reason: string | null
}

const noProblems: Problems = { fields: {}, reason: null }

function problemsOf(error: unknown, fields: readonly MetadataField[]): Problems {
  const told = error instanceof ApiError ? error.fields : {}
  return { fields: told, reason: fields.some(({ name }) => told[name] !== undefined) ? null : reasonOf(error) }
}

export function MetadataForm({ file, values, fields, draft, onChange, onClose }: MetadataFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const [problems, setProblems] = useState(noProblems)
  const [isBusy, setBusy] = useState(false)
  const isPhone = usePhone()
  const size = isPhone ? 'lg' : 'sm'
  const savedValue = (id: number): string => values.find(({ field_id }) => field_id === id)?.value ?? ''

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, textarea, select')?.focus()
  }, [])
  useEffect(() => {
    if (problems !== noProblems) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problems])

  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const changed = fields
      .map(({ id }) => ({ field_id: id, value: draft[id] ?? savedValue(id) }))
      .filter(({ field_id, value }) => value !== savedValue(field_id))
    if (changed.length === 0) return onClose()
    setBusy(true)
    try {
      await saveMetadata(file.id, changed)
      onClose()
    } catch (error) {
      setProblems(problemsOf(error, fields))
      setBusy(false)
    }
  }
  return (
    <form
      ref={form}
      className={styles.form}
      aria-label="Metadata"
      onSubmit={event => void submit(event)}
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      {fields.map(field => (
        <MetadataFieldInput
          key={field.id}
          field={field}
          value={draft[field.id] ?? savedValue(field.id)}
          onChange={value => {
            onChange({ ...draft, [field.id]: value })
            setProblems(noProblems)
          }}
          error={problems.fields[field.name]}
        />
      ))}
      {problems.reason !== null && <ErrorBox title="Failed to save metadata" reason={problems.reason} />}
      <div className={styles.actions}>
        <Button variant="default" size={size} onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" size={size} disabled={isBusy}>
          {isBusy ? 'Saving...' : 'Save'}
        </Button>
      </div>
    </form>
  )
}
