/** Builds SQL conditions on a row `f` of files from a search's filters, other than the name. */
import type { ParsedInputOf } from '../../api/endpoint.ts'
import type { FieldType } from '../../api/metadata.ts'
import type { searchFiles } from '../../api/search.ts'
import { invalidField } from '../../base/errors.ts'
import type { Database } from '../../db/database.ts'
import { fold } from '../../db/fold.ts'
import { tidyValue } from '../../metadata/check.ts'
import { findFields } from '../../metadata/find.ts'
import type { AddBind } from './names.ts'

export type SearchInput = ParsedInputOf<typeof searchFiles>

const isFile = 'f.is_directory = 0'

/** Types are stored in lower case. A prefix ends in a slash; '0', the character after the slash, ends its range. */
export function typeConditions({ mime_type }: SearchInput, add: AddBind): string[] {
  if (mime_type === undefined) return []
  const type = mime_type.toLowerCase()
  if (!type.endsWith('/')) return [isFile, `f.mime_type = ${add(type)}`]
  return [isFile, `f.mime_type >= ${add(type)}`, `f.mime_type < ${add(`${type.slice(0, -1)}0`)}`]
}

/** ms */
const day = 24 * 60 * 60 * 1000
const isDay = (text: string): boolean => text.length === 'YYYY-MM-DD'.length

export function dateConditions({ date_from, date_to }: SearchInput, add: AddBind): string[] {
  const conditions: string[] = []
  if (date_from !== undefined) conditions.push(`f.updated_at >= ${add(Date.parse(date_from))}`)
  if (date_to !== undefined) {
    conditions.push(`f.updated_at <= ${add(Date.parse(date_to) + (isDay(date_to) ? day - 1 : 0))}`)
  }
  return conditions
}

export function sizeConditions({ min_size, max_size }: SearchInput, add: AddBind): string[] {
  const conditions: string[] = []
  if (min_size !== undefined) conditions.push(isFile, `f.size >= ${add(min_size)}`)
  if (max_size !== undefined) conditions.push(isFile, `f.size <= ${add(max_size)}`)
  return conditions
}

/**
 * The redundant condition for held files lets SQLite use files_held, its partial index of files that are not approved.
 */
export function statusConditions({ status }: SearchInput, add: AddBind): string[] {
  if (status === undefined) return []
  const isHeld = status === 'approved' ? [] : ["f.validation_status <> 'approved'"]
  return [isFile, `f.validation_status = ${add(status)}`, ...isHeld]
}

const tagConditions = ({ tag_id }: SearchInput, add: AddBind): string[] =>
  tag_id === undefined
    ? []
    : [`EXISTS (SELECT 1 FROM file_tags ft WHERE ft.tag_id = ${add(tag_id)} AND ft.file_id = f.id)`]

/** Field types that match by substring; the other types match by the whole value. */
const foundByPart: ReadonlySet<FieldType> = new Set(['text', 'textarea', 'email', 'url'])

/** The condition that a file's value of a field matches; a text that is blank or folds to nothing matches no value. */
function valueCondition(fieldId: number, type: FieldType, value: string, add: AddBind): string {
  const byPart = foundByPart.has(type)
  const wanted = byPart ? fold(value) : value
  if (wanted === '') return '1 = 0'
  const ofField = `SELECT 1 FROM file_metadata m WHERE m.file_id = f.id AND m.field_id = ${add(fieldId)}`
  const fits = byPart ? `INSTR(m.value_folded, ${add(wanted)}) > 0` : `m.value = ${add(wanted)}`
  return `EXISTS (${ofField} AND ${fits})`
}

async function metadataConditions(db: Database, { meta = [] }: SearchInput, add: AddBind): Promise<string[]> {
  const filters = [meta].flat()
  if (filters.length === 0) return []
  const fields = new Map((await findFields(db)).map(field => [field.name, field]))
  return filters.map(filter => {
    const colon = filter.indexOf(':')
    const name = filter.slice(0, colon)
    const field = fields.get(name)
    if (field === undefined) throw invalidField('meta', `There is no metadata field '${name}'`)
    return valueCondition(field.id, field.field_type, tidyValue(filter.slice(colon + 1)), add)
  })
}

/** All filter conditions. Throws `invalid_input` for an unknown metadata field. */
export const filterConditions = async (db: Database, input: SearchInput, add: AddBind): Promise<string[]> => [
  ...typeConditions(input, add),
  ...dateConditions(input, add),
  ...sizeConditions(input, add),
  ...statusConditions(input, add),
  ...tagConditions(input, add),
  ...(await metadataConditions(db, input, add)),
]
