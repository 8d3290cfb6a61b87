/** The network that an address stands for: whoever has one IPv6 address has all 2^64 of its network. */
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'
import { userKey } from '../db/user-key.ts'

/** An address that is written as IPv6, with or without a zone; what it maps to where it is an IPv4 one. */
function readIPv6(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return undefined
  const read = ipaddr.IPv6.parse(plain)
  return read.isIPv4MappedAddress() ? read.toIPv4Address() : read
}

/** An IPv4 address in IPv6's clothes, as a dual-stack socket gives it, in its own; any other as it is. */
export function plainAddress(address: string): string {
  const read = readIPv6(address)
  return read instanceof ipaddr.IPv4 ? read.toString() : address
}

/** An IPv4 address in its plain form, of an IPv6 one its first 64 bits, as `2001:db8:0:0`; what is neither as it is. */
export function networkOf(address: string): string {
  const read = readIPv6(address)
  if (!(read instanceof ipaddr.IPv6)) return read?.toString() ?? address
  return read.parts
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')
}

/** Who asks for work, as far as it is shared out fairly. */
export interface Caller {
  /** The compared form of a username, whether or not somebody has it. */
  readonly account: string
  readonly network: string
}

/** Null is the server's own terminal. */
export const callerOf = (username: string, address: string | null): Caller => ({
  account: userKey(username),
  network: address === null ? '' : networkOf(address),
})
