/** Reads metadata from the command line: `name=value`. */
import type { Call } from '../src/api/client.ts'
import { listUploadFields, type MetadataField } from '../src/api/metadata.ts'
import type { MetadataValue } from '../src/api/metadata-values.ts'
import { CommandError } from '../terminal/exit.ts'

/** Looks up the fields by name. Throws `usage` for text of another form and for an unknown field. */
export const readMetadata = async (call: Call, texts: readonly string[]): Promise<MetadataValue[]> =>
  texts.length === 0 ? [] : parseMetadata(await call(listUploadFields, {}), texts)

/** Like `readMetadata`, with the given fields. */
export const parseMetadata = (fields: readonly MetadataField[], texts: readonly string[]): MetadataValue[] =>
  texts.map(text => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === '') throw new CommandError('usage', `'${text}' is no metadata: write name=value`)
    const field = fields.find(candidate => candidate.name === name)
    if (field !== undefined) return { field_id: field.id, value }
    const names = fields.map(candidate => candidate.name).join(', ')
    const hint = names === '' ? 'the server asks for none' : `there are: ${names}`
    throw new CommandError('usage', `There is no metadata field '${name}'; ${hint}`)
  })
