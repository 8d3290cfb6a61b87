/** Divides a process's connections among networks, and chooses the one to close when there are too many. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from 'proxy-addr'
import { networkOf } from '../../access/network.ts'
import { second } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Config } from '../../config.ts'
import { cutOff } from '../cut-off.ts'

/** Responses to admitted users; each user's number of requests is limited elsewhere. */
const known = new WeakSet<ServerResponse>()

/** Marks a request as coming from an admitted user; its connection is not closed to make room. */
export const markKnown = (answer: ServerResponse): void => {
  known.add(answer)
}

export const isKnown = (answer: ServerResponse): boolean => known.has(answer)

interface Member {
  readonly socket: Socket
  readonly answers: ReadonlySet<ServerResponse>
  /** When it was opened, on the monotonic clock (ms). */
  readonly since: number
}

/**
 * ms in which the first bytes of a connection's first request are waited for. A balancer opens a connection when it has a
 * request; one that is closed meanwhile has no answer, and would make the balancer leave this server out.
 */
const firstTime = second

const isNew = ({ socket, since }: Member): boolean => socket.bytesRead === 0 && performance.now() - since < firstTime

const tooManyConnections = (): AppError =>
  new AppError('unavailable', 'The server has too many connections, try again', { retryAfter: 1 })

/**
 * Returns the oldest connection without a request, or else the oldest without a request of an admitted user, and one that
 * is new when there is no other.
 */
function findLeast(members: Iterable<Member>): Member | undefined {
  let stranger: Member | undefined
  let newest: Member | undefined
  for (const member of members) {
    const hasNone = member.answers.size === 0
    if (hasNone && !isNew(member)) return member
    if (hasNone) newest = member
    else if (stranger === undefined && ![...member.answers].some(isKnown)) stranger = member
  }
  return stranger ?? newest
}

interface ConnectionLimits {
  maxConnections: number
  maxOfNetwork: number
  trustProxy: Config['trustProxy']
  /** Called for each new connection when the process, or its network, has the maximum number. */
  onFull(connections: number, network?: string): void
}

/** The connections of a process, oldest first, and those of each network except trusted proxies. */
export function openConnectionLimits<M extends Member>({
  maxConnections,
  maxOfNetwork,
  trustProxy,
  onFull,
}: ConnectionLimits) {
  const isProxy = proxyAddress.compile([...trustProxy])
  const members = new Map<Socket, M>()
  const networks = new Map<string, Set<M>>()
  /** Keyed by socket, because a closed socket no longer has its address. */
  const networkOfSocket = new WeakMap<Socket, string>()

  function remove(socket: Socket): void {
    const member = members.get(socket)
    const network = networkOfSocket.get(socket)
    members.delete(socket)
    if (member === undefined || network === undefined) return
    const others = networks.get(network)
    others?.delete(member)
    if (others?.size === 0) networks.delete(network)
  }

  /** Closes one of the connections; returns false if all of them serve admitted users. */
  function giveUpOne(among: Iterable<M>): boolean {
    const least = findLeast(among)
    if (least === undefined) return false
    close(least)
    remove(least.socket)
    return true
  }

  /** Closes a connection at once, or that of a proxy, which other clients need, with an answer. */
  function close({ socket, answers }: Member): void {
    if (answers.size === 0 || networkOfSocket.has(socket)) socket.destroy()
    else for (const answer of answers) cutOff(answer.req, answer, tooManyConnections())
  }

  function makeRoom(network: string | undefined): boolean {
    const neighbours = network === undefined ? undefined : networks.get(network)
    if (neighbours !== undefined && neighbours.size >= maxOfNetwork) {
      onFull(maxOfNetwork, network)
      return giveUpOne(neighbours)
    }
    if (members.size < maxConnections) return true
    onFull(maxConnections)
    return giveUpOne(members.values())
  }

  return {
    /** Adds a connection; returns false if there is no room for it. */
    add(member: M): boolean {
      const address = member.socket.remoteAddress ?? ''
      const network = address !== '' && isProxy(address, 0) ? undefined : networkOf(address)
      if (!makeRoom(network)) return false
      members.set(member.socket, member)
      if (network === undefined) return true
      networkOfSocket.set(member.socket, network)
      networks.set(network, (networks.get(network) ?? new Set()).add(member))
      return true
    },
    remove,
    get: (socket: Socket): M | undefined => members.get(socket),
    all: (): Iterable<M> => members.values(),
  }
}
