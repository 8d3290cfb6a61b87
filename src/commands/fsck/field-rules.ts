/** Rules for the columns of a metadata field that depend on its type. */
import * as z from 'zod/mini'
import { fieldTypes } from '../../api/metadata.ts'
import type { Row } from '../../db/tables.ts'
import { either, flag, json, oneOf, pattern, type Rule, type TableRules, time } from './column-rules.ts'

/** A damaged list of options is emptied and the field disabled, until somebody enters options again. */
const selectOptions = json('options', z.array(z.string()).check(z.minLength(1)), () => ({
  options: '[]',
  is_enabled: 0,
}))
/** The state that such a repair has left is valid too. */
const waiting: Rule = { ...selectOptions, fits: (value, row) => value === '[]' || selectOptions.fits(value, row) }
const noOptions: Rule = { detail: '', fits: value => value === null, mend: () => ({ options: null }) }

const optionsRule = ({ field_type, is_enabled }: Row): Rule =>
  field_type !== 'select' ? noOptions : is_enabled === 0 ? waiting : selectOptions

export const fieldRules: TableRules = {
  columns: {
    ...{ id: 'told', label: 'any', description: 'any' },
    name: pattern('name', /^[a-z_]+$/),
    field_type: oneOf('field_type', fieldTypes, () => ({ field_type: 'text', options: null })),
    options: either(optionsRule, 'its options cannot be read, or are not for its type'),
    is_required: flag('is_required', () => 0),
    is_enabled: flag('is_enabled', () => 0),
    created_at: time('created_at'),
  },
}
