/** What was refused in a command's own words: the flags that a person gave instead of the API's fields. */
import type { Command } from 'commander'

/** Field of the API → the option that gives it, where it is not called so. */
const options: Readonly<Record<string, string>> = {
  comment: 'reason',
  expires_in: 'expires-in',
  field_type: 'type',
  item_id: 'item',
  options: 'option',
  permission_ids: 'permission',
  permissions: 'permission',
  rate_limit_per_minute: 'per-minute',
  rate_limit_per_hour: 'per-hour',
  rate_limit_per_day: 'per-day',
  storage_quota: 'quota',
}

/** `--to` where the command has such an option, else the word for its argument. */
function wordOf(field: string, command: Command): string {
  const dashed = field.replaceAll('_', '-')
  const flags = [options[field], dashed].map(name => `--${name}`)
  return command.options.find(({ long }) => flags.includes(long ?? ''))?.long ?? dashed
}

/** The sentence for a failure; a refusal of the input names each field beside its own. */
export function sentenceOf(error: unknown, command: Command | undefined): string {
  if (!(error instanceof Error)) return String(error)
  // The client's errors have fields too, and tell of them themselves.
  if (command === undefined || error.name !== 'AppError' || !('fields' in error)) return error.message
  const sentences = Object.entries((error.fields ?? {}) as Record<string, string>)
  if (sentences.length === 0) return error.message
  return sentences.map(([field, sentence]) => `${wordOf(field, command)}: ${sentence}`).join('. ')
}
