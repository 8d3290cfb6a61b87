/** Reads metadata from the command line: `name=value`. */
import type { Call } from '../src/api/client.ts'
import { listUploadFields } from '../src/api/metadata.ts'
import type { MetadataValue } from '../src/api/metadata-values.ts'
import { CommandError } from '../terminal/exit.ts'

/** Looks up the fields by name. Throws `usage` for text of another form and for an unknown field. */
export async function readMetadata(call: Call, texts: readonly string[]): Promise<MetadataValue[]> {
  if (texts.length === 0) return []
  const fields = await call(listUploadFields, {})
  return texts.map(text => {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? []
    if (name === '') throw new CommandError('usage', `'${text}' is no metadata: write name=value`)
    const field = fields.find(candidate => candidate.name === name)
    if (field !== undefined) return { field_id: field.id, value }
    const names = fields.map(candidate => candidate.name).join(', ')
    const hint = names === '' ? 'the server asks for none' : `there are: ${names}`
    throw new CommandError('usage', `There is no metadata field '${name}'; ${hint}`)
  })
}
