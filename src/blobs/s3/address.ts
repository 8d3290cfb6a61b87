/** Where an object store is: what `--storage s3://…` says. */
import { parseUrl } from '../../base/parse-url.ts'

export interface S3Address {
  bucket: string
  /** What all keys begin with: empty, or a path that ends with a slash. */
  prefix: string
  /** The service's origin, such as `https://s3.example.org`. */
  endpoint: string
  region: string
  /** Where requests name the bucket: at the beginning of the path, or in front of the host's name. */
  style: 'path' | 'host'
  /** The file with the certificates of the authority that signs the service's own; null for those that Node trusts. */
  ca: string | null
  /** The origin at which browsers reach the service, if it is another one than `endpoint`. */
  public: string | null
  /** Whether large downloads are sent there. */
  redirect: boolean
}

const known = ['endpoint', 'region', 'style', 'ca', 'public', 'redirect']
const defaultRegion = 'us-east-1'

const readEndpoint = (text: string): string | null => {
  const url = parseUrl(text)
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
  return isOrigin ? url.origin : null
}

type Extras = Pick<S3Address, 'ca' | 'public' | 'redirect'>

function readExtras(query: URLSearchParams, endpoint: string): Extras | string {
  const [ca, given, redirect] = [query.get('ca'), query.get('public'), query.get('redirect') ?? '0']
  if (ca !== null && !(ca.startsWith('/') && endpoint.startsWith('https:'))) {
    return 'its ca is no file of an https endpoint, as in ca=/etc/ssl/store.pem'
  }
  const origin = given === null ? null : readEndpoint(given)
  if (given !== null && origin === null) return 'its public address is none, as in public=https://s3.example.org'
  if (redirect !== '0' && redirect !== '1') return 'its redirect is neither 0 nor 1'
  return { ca, public: origin, redirect: redirect === '1' }
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
  const extras = readExtras(query, endpoint)
  if (typeof extras === 'string') return extras
  return { bucket, prefix: prefix === '' ? '' : `${prefix}/`, endpoint, region, style, ...extras }
}

/** The host to which large downloads are sent; null if none are. */
export function redirectHost({ bucket, endpoint, public: origin, style, redirect }: S3Address): string | null {
  if (!redirect) return null
  const { hostname } = new URL(origin ?? endpoint)
  return style === 'host' ? `${bucket}.${hostname}` : hostname
}

/** The store's name in messages; it holds no secret. */
export const nameOfS3 = ({ bucket, prefix }: S3Address): string => `s3://${bucket}/${prefix.replace(/\/$/, '')}`
