/** Whether an object store can be used at all, asked once at the start. */
import { AppError } from '../../base/errors.ts'
import { nameOfS3 } from './address.ts'
import type { S3Client } from './client.ts'
import { S3Refusal } from './failures.ts'

/** What an administrator can do about a refusal, by its code; the rest of a sentence about the store. */
const remedies: Readonly<Record<string, string>> = {
  NoSuchBucket: 'there is no such bucket: make it, or name another one',
  InvalidBucketName: 'there can be no such bucket: name another one',
  InvalidAccessKeyId: 'it does not know the access key: check FILESTORE_S3_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'the secret is not that of the access key: check FILESTORE_S3_SECRET_ACCESS_KEY',
  AccessDenied: 'the access key may not list, read and write there: give it these rights',
  RequestTimeTooSkewed: "this machine's clock is wrong: set it",
  AuthorizationHeaderMalformed: 'it is in another region: name that, as in region=eu-central-1',
  PermanentRedirect: 'it is at another endpoint or in another region: name these',
}

/** Throws `invalid_input` with a remedy for what another try cannot mend, and `unavailable` if nobody answers. */
export async function refuseUnusable(client: S3Client): Promise<void> {
  const query = { 'list-type': '2', 'max-keys': '1', prefix: client.address.prefix }
  try {
    await client.ask({ method: 'GET', query })
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    const remedy = cause instanceof S3Refusal ? remedies[cause.code] : undefined
    const name = nameOfS3(client.address)
    if (remedy !== undefined) throw new AppError('invalid_input', `--storage: ${name}: ${remedy}`, { cause })
    const what = cause instanceof Error ? cause.message : String(error)
    throw new AppError('unavailable', `--storage: ${name} at ${client.address.endpoint} cannot be reached: ${what}`, {
      cause,
    })
  }
}
