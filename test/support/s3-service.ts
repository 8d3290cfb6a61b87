/**
 * A real object store, where FILESTORE_TEST_S3 names its bucket (`s3://bucket?endpoint=…`): tests then keep their bytes
 * there, each server under a prefix of its own. The credentials are in the product's own variables. `.ci/s3` runs one.
 */
import { randomBytes } from 'node:crypto'
import { readS3Address, type S3Address } from '../../src/blobs/s3/address.ts'
import { openS3Client } from '../../src/blobs/s3/client.ts'
import { readS3Credentials, type S3Credentials } from '../../src/blobs/s3/credentials.ts'
import { listObjects } from '../../src/blobs/s3/list.ts'
import { removeObject } from '../../src/blobs/s3/objects.ts'
import type { Config } from '../../src/config.ts'
import { s3Environment } from './s3-server.ts'

/** The bucket's address, without a prefix; undefined where tests keep their bytes in folders. */
export const s3Service = process.env.FILESTORE_TEST_S3

export interface S3Place {
  address: S3Address
  credentials: S3Credentials
}

const flagOf = (prefix: string): string | undefined => s3Service?.replace(/^(s3:\/\/[^/?]+)[^?]*/, `$1/${prefix}`)

/** The value of `--storage` for an unused prefix; undefined for a folder. */
export const newStorageFlag = (): string | undefined => flagOf(`test-${randomBytes(8).toString('hex')}`)

/** An unused prefix of the service, also as the value of `--storage`. */
export function newS3Place(): S3Place & { flag: string } {
  const flag = newStorageFlag() ?? ''
  const address = readS3Address(flag)
  if (typeof address === 'string') throw new Error(`FILESTORE_TEST_S3: ${address}`)
  return { flag, address, credentials: readS3Credentials(process.env) }
}

/** The value of `--storage` with which other processes use a test server's bytes; undefined for any other store. */
export function storageFlagOf({ storage }: Pick<Config, 'storage'>): string | undefined {
  if (storage.kind !== 's3' || !storage.address.prefix.startsWith('test-')) return undefined
  return flagOf(storage.address.prefix.replace(/\/$/, ''))
}

/** The environment of a server with this store: the service's credentials, or else those of test/support/s3-server.ts. */
export const environmentFor = (storage: string | undefined): NodeJS.ProcessEnv =>
  s3Service !== undefined && storage?.startsWith(`${s3Service.split('?')[0]}/test-`) ? process.env : s3Environment

/** Removes all that a test has left below its prefix. */
export async function emptyS3Place({ address, credentials }: S3Place): Promise<void> {
  const client = openS3Client(address, credentials)
  const names: string[] = []
  for await (const { name } of listObjects(client, '')) names.push(name)
  await Promise.all(names.map(name => removeObject(client, name)))
}
