/** Secrets that no answer of any test may contain. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/** Password hashes, secrets of keys, and the data folder of a test server. */
const secretForms = /\$argon2|gs_[\w-]{43}|\/filestore-test-\w{6}/

/** Internal columns; an error message may name them when the client sent them as fields, and a change its space, as the API's document says. */
const innerFields =
  /"(password_hash|secret_hash|hash|username_key|email_key|blob_id|blob_key|space_id|role_id|trash_root_id|name_folded|sort_key)":(?!"Unknown field|\d+,"revision":|\{"type":"integer")|"key":"[0-9a-f]{64}"/

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The secrets in a request's headers, and the hashes that the server stores of them. */
function ownSecrets(headers: Record<string, string>): string[] {
  const session = /filestore_session=([\w-]{40,})/.exec(headers.cookie ?? '')?.[1]
  const secrets = [session ?? '', headers['x-api-secret'] ?? '']
  // Shorter values are not real secrets, but made up by a test.
  return secrets.filter(secret => secret.length >= 40).flatMap(secret => [secret, sha256(secret)])
}

/** Fails when a text of the server contains a secret, of any user or from these request headers. */
export function refuseSecrets(text: string, headers: Record<string, string>): void {
  assert.doesNotMatch(text, secretForms)
  assert.doesNotMatch(text, innerFields)
  for (const secret of ownSecrets(headers)) assert.ok(!text.includes(secret), 'an answer holds a secret of who asks')
}

/** Whether the server wrote the body, rather than a user. */
export const isOwnText = (type: string, disposition: string): boolean =>
  /^(application\/json|text\/csv|text\/html)/.test(type) && (disposition === '' || type.startsWith('text/csv'))
