/** A file's metadata: the values and, after Edit, a form in their place. */
import { Button } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { FileItem, ItemMetadata } from '../../../src/api/items.ts'
import type { MetadataField } from '../../../src/api/metadata.ts'
import { usePhone } from '../../ui/use-phone.ts'
import { useRights } from '../rights.ts'
import { dropDraft, setDraft, useDraft } from './drafts.ts'
import styles from './metadata.module.css'
import { MetadataForm } from './metadata-form.tsx'
import { MetadataValue } from './metadata-value.tsx'
import { Fact, Facts, Section } from './section.tsx'

interface MetadataProps {
  file: FileItem
  /** Undefined while loading. */
  values: readonly ItemMetadata[] | undefined
  /** The fields that are asked for; a file may have values of other fields too. */
  fields: readonly MetadataField[]
}

export function Metadata({ file, values, fields }: MetadataProps) {
  const mayWrite = useRights()([file]).change
  const draft = useDraft(file.id)
  const isEditing = draft !== undefined && values !== undefined
  const edit = useRef<HTMLButtonElement>(null)
  const wasEditing = useRef(isEditing)
  useEffect(() => {
    if (wasEditing.current && !isEditing) edit.current?.focus()
    wasEditing.current = isEditing
  }, [isEditing])
  const size = usePhone() ? 'lg' : 'xs'

  const others = (values ?? []).filter(value => fields.every(field => field.id !== value.field_id))
  if (fields.length === 0 && others.length === 0) return null
  const canEdit = mayWrite && fields.length > 0 && values !== undefined
  return (
    <Section
      title="Metadata"
      action={
        canEdit &&
        !isEditing && (
          <Button
            ref={edit}
            variant="subtle"
            size={size}
            className={styles.edit}
            aria-label="Edit metadata"
            onClick={() => setDraft(file.id, {})}
          >
            Edit
          </Button>
        )
      }
    >
      {isEditing ? (
        <MetadataForm
          file={file}
          values={values}
          fields={fields}
          draft={draft}
          onChange={next => setDraft(file.id, next)}
          onClose={() => dropDraft(file.id)}
        />
      ) : (
        <Facts>
          {fields.map(field => (
            <Fact key={field.id} label={field.label}>
              {values && (
                <MetadataValue
                  type={field.field_type}
                  value={values.find(({ field_id }) => field_id === field.id)?.value ?? ''}
                />
              )}
            </Fact>
          ))}
          {others.map(({ field_id, label, value }) => (
            <Fact key={field_id} label={label}>
              <MetadataValue type="text" value={value} />
            </Fact>
          ))}
        </Facts>
      )}
    </Section>
  )
}
