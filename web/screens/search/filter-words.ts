/** Describes the active filters. */
import type { MetadataField } from '../../../src/api/metadata.ts'
import type { Tag } from '../../../src/api/tags.ts'
import type { SearchFilters } from '../../lib/data/search.ts'
import { formatSize } from '../../lib/words/format-size.ts'
import { kindChoices, statusChoices } from './filter-choices.ts'
import { readMeta } from './read-meta.ts'

/** The names that the filters' ids stand for, as far as they are loaded. */
interface Known {
  tags: readonly Tag[]
  fields: readonly MetadataField[]
}

/** A filter: the product's words, then a name or text from a user. */
interface FilterWords {
  words: string
  value?: string
}

const labelIn = (choices: typeof kindChoices, value: string): string =>
  choices.find(choice => choice.value === value)?.label ?? value

function tagWords(id: number, tags: readonly Tag[]): FilterWords {
  const tag = tags.find(each => each.id === id)
  return tag === undefined ? { words: 'a tag' } : { words: 'tag', value: tag.name }
}

function metaWords(meta: string, fields: readonly MetadataField[]): FilterWords {
  const { name, value } = readMeta(meta)
  const field = fields.find(each => each.name === name)
  if (field?.field_type !== 'checkbox') return { words: `${field?.label ?? name}:`, value }
  return { words: `${field.label}:`, value: value === 'true' ? 'Yes' : 'No' }
}

/** `Images`, `at least 2.00 MB`, `tag Press`: one for each active filter. */
export function filterWords(filters: SearchFilters, { tags, fields }: Known): FilterWords[] {
  const { mime_type, min_size, max_size, date_from, date_to, tag_id, status, meta } = filters
  const all: (FilterWords | undefined)[] = [
    mime_type === undefined ? undefined : { words: labelIn(kindChoices, mime_type) },
    min_size === undefined ? undefined : { words: `at least ${formatSize(min_size)}` },
    max_size === undefined ? undefined : { words: `at most ${formatSize(max_size)}` },
    date_from === undefined ? undefined : { words: `changed from ${date_from}` },
    date_to === undefined ? undefined : { words: `changed until ${date_to}` },
    tag_id === undefined ? undefined : tagWords(tag_id, tags),
    status === undefined ? undefined : { words: labelIn(statusChoices, status) },
    meta === undefined ? undefined : metaWords(meta, fields),
  ]
  return all.filter(words => words !== undefined)
}
