/** The form that creates or edits a metadata field. Name and type cannot be changed later. */
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { maxDescriptionLength, maxFieldNameLength, maxLabelLength } from '../../../src/api/limits.ts'
import { type FieldType, fieldTypes, type MetadataField } from '../../../src/api/metadata.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { DialogForm } from './dialog-form.tsx'
import { type FieldDraft, saveField, suggestFieldName, toFieldName } from './field-changes.ts'
import { fieldTypeNames } from './field-types.ts'
import { OptionsEditor } from './options-editor.tsx'

const typeChoices = fieldTypes.map(type => ({ value: type, label: fieldTypeNames[type] }))

const draftOf = (field: MetadataField | null): FieldDraft => ({
  label: field?.label ?? '',
  name: field?.name ?? '',
  type: field?.field_type ?? 'text',
  options: field?.options ?? [''],
  description: field?.description ?? '',
  isRequired: field?.is_required ?? false,
})

interface FieldFormProps {
  /** Null for a new one. */
  field: MetadataField | null
  onClose: () => void
}

export function FieldForm({ field, onClose }: FieldFormProps) {
  const [draft, setDraft] = useState(() => draftOf(field))
  /** The name follows the label until the user types one. */
  const [isNamed, setNamed] = useState(false)
  const size = usePhone() ? 'lg' : 'sm'
  const change = (part: Partial<FieldDraft>) => setDraft(before => ({ ...before, ...part }))
  const isNew = field === null

  return (
    <DialogForm
      submit={[isNew ? 'Create Field' : 'Save', 'Saving...']}
      isDisabled={draft.label.trim() === '' || draft.name.trim() === ''}
      failure="Failed to save field"
      names={['label', 'name', 'field_type', 'description', 'options']}
      onCancel={onClose}
      onSubmit={async () => {
        await saveField(draft, field)
        onClose()
      }}
    >
      {problems => (
        <>
          <TextInput
            label="Label"
            size={size}
            value={draft.label}
            error={problems.label}
            maxLength={maxLabelLength}
            aria-required
            data-autofocus
            dir="auto"
            onChange={({ currentTarget: { value } }) =>
              change({ label: value, ...(isNew && !isNamed ? { name: suggestFieldName(value) } : {}) })
            }
          />
          <TextInput
            label="Internal name"
            description={isNew ? 'Lowercase letters and underscores only' : 'Cannot be changed after creation'}
            size={size}
            value={draft.name}
            error={problems.name}
            maxLength={maxFieldNameLength}
            aria-required
            disabled={!isNew}
            spellCheck={false}
            autoCapitalize="none"
            onChange={({ currentTarget: { value } }) => {
              setNamed(value !== '')
              change({ name: toFieldName(value) })
            }}
          />
          <NativeSelect
            label="Type"
            description={isNew ? undefined : 'Cannot be changed after creation'}
            size={size}
            data={typeChoices}
            value={draft.type}
            error={problems.field_type}
            disabled={!isNew}
            onChange={({ currentTarget: { value } }) => change({ type: value as FieldType })}
          />
          {draft.type === 'select' && (
            <OptionsEditor
              options={draft.options}
              problem={problems.options}
              onChange={options => change({ options })}
            />
          )}
          <Textarea
            label="Description"
            size={size}
            rows={2}
            value={draft.description}
            error={problems.description}
            maxLength={maxDescriptionLength}
            dir="auto"
            onChange={({ currentTarget: { value } }) => change({ description: value })}
          />
          <Checkbox
            label="Required"
            checked={draft.isRequired}
            onChange={({ currentTarget: { checked } }) => change({ isRequired: checked })}
          />
        </>
      )}
    </DialogForm>
  )
}
