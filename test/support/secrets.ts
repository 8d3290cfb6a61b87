/** What no answer of any test may hold. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/** Hashes of passwords, secret halves of keys, and where the data of a test server lie. */
const secretForms = /\$argon2|gs_[\w-]{43}|\/filestore-test-\w{6}/

/** Columns that are the server's own, but where a refusal names what was sent. */
const innerFields =
  /"(password_hash|secret_hash|hash|username_key|email_key|blob_id|blob_key|space_id|role_id|trash_root_id|name_folded|sort_key)":(?!"Unknown field)|"key":"[0-9a-f]{64}"/

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** The secrets among the headers of a request, and the hashes under which the server keeps them. */
function ownSecrets(headers: Record<string, string>): string[] {
  const session = /filestore_session=([\w-]{40,})/.exec(headers.cookie ?? '')?.[1]
  const secrets = [session ?? '', headers['x-api-secret'] ?? '']
  // Shorter ones are no secrets, but what a test has made up.
  return secrets.filter(secret => secret.length >= 40).flatMap(secret => [secret, sha256(secret)])
}

/** Fails where a text that the server itself has written tells a secret, of anybody or of who asked with these headers. */
export function refuseSecrets(text: string, headers: Record<string, string>): void {
  assert.doesNotMatch(text, secretForms)
  assert.doesNotMatch(text, innerFields)
  for (const secret of ownSecrets(headers)) assert.ok(!text.includes(secret), 'an answer holds a secret of who asks')
}

/** Whether the server has written the body, and no user. */
export const isOwnText = (type: string, disposition: string): boolean =>
  /^(application\/json|text\/csv|text\/html)/.test(type) && (disposition === '' || type.startsWith('text/csv'))
