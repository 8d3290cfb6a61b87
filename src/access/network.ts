/** The network of an address: a client with one IPv6 address usually controls all 2^64 of its network. */
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { userKey } from '../db/user-key.ts'

/** Parses an IPv6 address, with or without a zone; returns the IPv4 address that it maps, if it does. */
function readIPv6(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return undefined
  const read = ipaddr.IPv6.parse(plain)
  return read.isIPv4MappedAddress() ? read.toIPv4Address() : read
}

/** Unwraps an IPv4-mapped IPv6 address, as a dual-stack socket reports it; returns any other address unchanged. */
export function plainAddress(address: string): string {
  const read = readIPv6(address)
  return read instanceof ipaddr.IPv4 ? read.toString() : address
}

/** The network: an IPv4 address itself, the first 64 bits of an IPv6 one (`2001:db8:0:0`), other text unchanged. */
export function networkOf(address: string): string {
  const read = readIPv6(address)
  if (!(read instanceof ipaddr.IPv6)) return read?.toString() ?? address
  return read.parts
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')
}

/**
 * The site of a network: of IPv6 the first 48 bits, the most that a provider gives one customer (RFC 6177), who then has
 * 65,536 networks. Limits go by it where a crowd of networks would use up what nobody can give back.
 */
export const siteOf = (network: string): string => network.split(':').slice(0, 3).join(':')

/** The caller, as far as fair sharing needs to know it. */
export interface Caller {
  /** The compared form of a username, whether or not somebody has it. */
  readonly account: string
  readonly network: string
}

/** A null address is the server's own terminal. */
export const callerOf = (username: string, address: string | null): Caller => ({
  account: userKey(username),
  network: address === null ? '' : networkOf(address),
})
