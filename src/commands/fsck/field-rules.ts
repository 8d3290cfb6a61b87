/** Rules for the columns of a metadata field that depend on its type. */
import * as z from 'zod/mini'
import { maxDescriptionLength, maxFieldNameLength, maxFieldOptions, maxLabelLength } from '../../api/limits.ts'
import { fieldTypes } from '../../api/metadata.ts'
import { parseStored } from '../../db/stored-json.ts'
import type { Row } from '../../db/tables.ts'
import { either, flag, json, maybe, oneOf, pattern, type Rule, type TableRules, time } from './column-rules.ts'
import { block, isLine, line, nearestLine } from './text-rules.ts'

const option = z.string().check(z.refine(text => isLine(text, maxLabelLength)))
const optionList = z.array(option).check(z.minLength(1), z.maxLength(maxFieldOptions))

/** The options with the nearest texts that fit; a list that cannot be read is emptied, and its field disabled. */
function mendOptions({ options }: Row): Row {
  const texts = parseStored(z.array(z.string()), String(options)) ?? []
  const mended = [...new Set(texts.map(text => nearestLine(text, maxLabelLength)))].slice(0, maxFieldOptions)
  return mended.length > 0 ? { options: JSON.stringify(mended) } : { options: '[]', is_enabled: 0 }
}

const selectOptions = json('options', optionList, mendOptions)
/** The state that such a repair has left is valid too. */
const waiting: Rule = { ...selectOptions, fits: (value, row) => value === '[]' || selectOptions.fits(value, row) }
const noOptions: Rule = { detail: '', fits: value => value === null, mend: () => ({ options: null }) }

const optionsRule = ({ field_type, is_enabled }: Row): Rule =>
  field_type !== 'select' ? noOptions : is_enabled === 0 ? waiting : selectOptions

export const fieldRules: TableRules = {
  columns: {
    ...{ id: 'told', label: line('label', maxLabelLength) },
    description: maybe(block('description', maxDescriptionLength)),
    name: pattern('name', new RegExp(`^[a-z_]{1,${maxFieldNameLength}}$`)),
    field_type: oneOf('field_type', fieldTypes, () => ({ field_type: 'text', options: null })),
    options: either(optionsRule, 'its options cannot be read, or are not for its type'),
    is_required: flag('is_required', () => 0),
    is_enabled: flag('is_enabled', () => 0),
    created_at: time('created_at'),
  },
}
