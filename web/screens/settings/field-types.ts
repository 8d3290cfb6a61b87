/** The names of the metadata field types. */
import type { FieldType } from '../../../src/api/metadata.ts'

export const fieldTypeNames: Record<FieldType, string> = {
  text: 'Text',
  textarea: 'Long text',
  number: 'Number',
  date: 'Date',
  checkbox: 'Checkbox',
  email: 'Email',
  url: 'URL',
  select: 'Select',
}
