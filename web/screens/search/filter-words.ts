/** The filters in force, each in a few words. */
import { formatSize } from '../../lib/format-size.ts'
import type { SearchFilters } from '../../lib/search.ts'
import { kindChoices, statusChoices } from './filter-choices.ts'

const labelIn = (choices: typeof kindChoices, value: string | undefined): string | undefined =>
  value && (choices.find(choice => choice.value === value)?.label ?? value)

/** `['Images', 'at least 2.00 MB', 'a tag']`; empty where none is in force. */
export function filterWords({
  mime_type,
  min_size,
  max_size,
  date_from,
  date_to,
  tag_id,
  status,
  meta,
}: SearchFilters) {
  return [
    labelIn(kindChoices, mime_type),
    min_size === undefined ? undefined : `at least ${formatSize(min_size)}`,
    max_size === undefined ? undefined : `at most ${formatSize(max_size)}`,
    date_from && `changed from ${date_from}`,
    date_to && `changed until ${date_to}`,
    tag_id && 'a tag',
    labelIn(statusChoices, status),
    meta?.replace(':', ': '),
  ].filter(words => words !== undefined)
}
