/** The metadata fields in the cache, and changes to them. */
import { queryOptions } from '@tanstack/react-query'
import type { InputOf } from '../../../src/api/endpoint.ts'
import {
  createField,
  deleteField,
  type FieldType,
  listFields,
  type MetadataField,
  updateField,
} from '../../../src/api/metadata.ts'
import { openActs, showAtOnce } from '../../lib/data/show-at-once.ts'
import { call } from '../../lib/server/call.ts'
import { queryClient } from '../../lib/server/query-client.ts'

export const fieldsQuery = queryOptions({ queryKey: ['metadata-fields'], queryFn: () => call(listFields, {}) })

/** Refetches everything that depends on the fields. */
async function refreshFields(): Promise<void> {
  const keys = [...fieldsQuery.queryKey, 'upload-fields', 'item', 'pending-metadata']
  await queryClient.invalidateQueries({ predicate: ({ queryKey }) => keys.includes(String(queryKey[0])) })
}

/** The content of a field's form. */
export interface FieldDraft {
  label: string
  name: string
  type: FieldType
  options: string[]
  description: string
  isRequired: boolean
}

/** Creates a field, or changes those of its properties that can be changed. */
export async function saveField(draft: FieldDraft, field: MetadataField | null): Promise<void> {
  const { label, name, type, description, isRequired } = draft
  const options = draft.options.map(option => option.trim()).filter(option => option !== '')
  const common = {
    label,
    description: description.trim() || null,
    is_required: isRequired,
    ...(type === 'select' ? { options } : {}),
  } satisfies Partial<InputOf<typeof updateField>>
  if (field === null) await call(createField, { name, field_type: type, ...common })
  else await call(updateField, { id: field.id, ...common })
  await refreshFields()
}

const runToggle = openActs<number>(refreshFields)

/** Enables or disables a field: an optimistic update, rolled back when the server refuses. Throws the refusal. */
export const toggleField = ({ id }: MetadataField, isEnabled: boolean): Promise<void> =>
  runToggle(
    id,
    isMade =>
      showAtOnce(fieldsQuery.queryKey, fields =>
        fields.map(field => (field.id === id ? { ...field, is_enabled: isMade === isEnabled } : field)),
      ),
    () => call(updateField, { id, is_enabled: isEnabled }),
  )

export async function removeField({ id }: MetadataField): Promise<void> {
  await call(deleteField, { id })
  await refreshFields()
}

/** A name as the server stores it: lowercase, underscores instead of spaces. */
export const toFieldName = (text: string): string => text.toLowerCase().replace(/\s/g, '_')

/** Suggests a name for a label, from the letters that names allow: `Größe (cm)` becomes `grosse_cm`. */
export const suggestFieldName = (label: string): string =>
  toFieldName(label.replace(/ß/g, 'ss').normalize('NFD').trim())
    .replace(/[^a-z_]/g, '')
    .replace(/_+/g, '_')
    .replace(/^_|_$/g, '')
