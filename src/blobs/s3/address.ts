/** Where an object store is: what `--storage s3://…` says. */

export interface S3Address {
  bucket: string
  /** What all keys begin with: empty, or a path that ends with a slash. */
  prefix: string
  /** The service's origin, such as `https://s3.example.org`. */
  endpoint: string
  region: string
  /** Where requests name the bucket: at the beginning of the path, or in front of the host's name. */
  style: 'path' | 'host'
}

const known = ['endpoint', 'region', 'style']
const defaultRegion = 'us-east-1'

const readEndpoint = (text: string): string | null => {
  const url = URL.canParse(text) ? new URL(text) : null
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin ? url.origin : null
}

/**
 * Reads an address such as `s3://bucket/prefix?endpoint=https://host&region=us-east-1&style=path`. A string says why it is
 * none, and repeats nothing of it: somebody may have put a secret there.
 */
export function readS3Address(text: string): S3Address | string {
  const [, bucket = '', path = ''] = /^s3:\/\/([^/?#@]*)\/?([^?#]*)(?:\?[^#]*)?$/.exec(text) ?? []
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{1,253}[A-Za-z0-9]$/.test(bucket)) return 'it names no bucket, as in s3://bucket'
  const prefix = path.replace(/\/+$/, '')
  if (!/^([A-Za-z0-9_-][A-Za-z0-9._-]*(\/|$))*$/.test(prefix)) return 'what follows the bucket cannot begin the keys'
  const query = new URLSearchParams(text.split('?')[1] ?? '')
  const unknown = [...query.keys()].find(name => !known.includes(name))
  if (unknown !== undefined) return `its parameters are ${known.join(', ')}, and no others`
  const region = query.get('region') ?? defaultRegion
  if (!/^[a-z0-9-]{1,64}$/.test(region)) return 'its region is none, as in region=us-east-1'
  const given = query.get('endpoint')
  const endpoint = given === null ? `https://s3.${region}.amazonaws.com` : readEndpoint(given)
  if (endpoint === null) return 'its endpoint is none, as in endpoint=https://s3.example.org'
  const style = query.get('style') ?? (given === null ? 'host' : 'path')
  if (style !== 'path' && style !== 'host') return 'its style is neither path nor host'
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region, style }
}

/** The store's name in messages; it holds no secret. */
export const nameOfS3 = ({ bucket, prefix }: S3Address): string => `s3://${bucket}/${prefix.replace(/\/$/, '')}`
