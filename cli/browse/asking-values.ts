/** Asks for the metadata that an upload must have, one field at a time. */
import type { MetadataField } from '../../src/api/metadata.ts'
import type { MetadataValue } from '../../src/api/metadata-values.ts'
import { visible } from '../../terminal/visible.ts'
import type { App } from './app.ts'
import { ask } from './prompting.ts'

const forms: Readonly<Record<MetadataField['field_type'], string>> = {
  text: 'A text',
  textarea: 'A text',
  number: 'A number',
  date: 'A date, as 2026-11-22',
  checkbox: 'true or false',
  email: 'An email address',
  url: 'A web address',
  select: 'One of',
}

const hintOf = ({ field_type, options }: MetadataField): string =>
  `${forms[field_type]}${options === null ? '' : ` ${options.join(', ')}`} · Enter goes on · Esc leaves it`

/**
 * Asks for each field, then calls `done` with the values. An empty answer gives no value, and Esc cancels everything.
 */
export function askValues(
  app: App,
  fields: readonly MetadataField[],
  done: (values: readonly MetadataValue[]) => void,
  given: readonly MetadataValue[] = [],
): void {
  const [field, ...rest] = fields
  if (field === undefined) {
    done(given)
    return
  }
  let values = given
  ask(app, {
    label: visible(field.label),
    hint: hintOf(field),
    submit: async text => {
      if (text.trim() !== '') values = [...given, { field_id: field.id, value: text.trim() }]
    },
    next: () => askValues(app, rest, done, values),
  })
}
