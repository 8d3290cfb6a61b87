/** Words a refusal of the input for the command line: it names the flags that the person gave, not the API's fields. */
import type { Command } from 'commander'

/** Field of the API → the option that sets it, where the two names differ. */
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

/** Returns the option for a field, such as `--to`, if the command has one, otherwise the word for its argument. */
function wordOf(field: string, command: Command): string {
  const dashed = field.replaceAll('_', '-')
  const flags = [options[field], dashed].map(name => `--${name}`)
  return command.options.find(({ long }) => flags.includes(long ?? ''))?.long ?? dashed
}

/** Returns the message for a failure. If fields of the input were refused, it names each field with its own message. */
export function sentenceOf(error: unknown, command: Command | undefined): string {
  if (!(error instanceof Error)) return String(error)
  // The client's errors have `fields` too, but their messages name them already.
  if (command === undefined || error.name !== 'AppError' || !('fields' in error)) return error.message
  const sentences = Object.entries((error.fields ?? {}) as Record<string, string>)
  if (sentences.length === 0) return error.message
  return sentences.map(([field, sentence]) => `${wordOf(field, command)}: ${sentence}`).join('. ')
}
