/** The network that an address stands for: whoever has one IPv6 address has all 2^64 of its network. */
import { isIPv6 } from 'node:net'
import { userKey } from '../db/user-key.ts'

/** An IPv4 address as it is, of an IPv6 one its first 64 bits, as `2001:db8:0:0`. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  if (!isIPv6(plain)) return address
  const [head = '', tail] = plain.split('::')
  const groupsOf = (text: string) => text.split(':').filter(Boolean)
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  return groups
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
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
