/** Shares a process's connections out among networks, and says which one gives way where there are too many. */
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import proxyAddress from 'proxy-addr'
import { networkOf } from '../access/network.ts'
import type { Config } from '../config.ts'

/** Answers to users whom the server has let in. How many of these there are is bounded for each user. */
const known = new WeakSet<ServerResponse>()

/** Says that a request comes from a user whom the server has let in: it gives way to nobody. */
export const markKnown = (answer: ServerResponse): void => {
  known.add(answer)
}

export const isKnown = (answer: ServerResponse): boolean => known.has(answer)

interface Member {
  readonly socket: Socket
  readonly answers: ReadonlySet<ServerResponse>
}

/** The oldest connection without a request, or else the oldest one with requests of nobody known alone. */
function findLeast(members: Iterable<Member>): Member | undefined {
  let stranger: Member | undefined
  for (const member of members) {
    if (member.answers.size === 0) return member
    if (stranger === undefined && ![...member.answers].some(isKnown)) stranger = member
  }
  return stranger
}

interface RoomOptions {
  maxConnections: number
  maxOfNetwork: number
  trustProxy: Config['trustProxy']
  /** Called for each connection that finds so many of the process, or of its network, taken. */
  onFull(connections: number, network?: string): void
}

/** The connections of a process, oldest first, and those of each network but the listed proxies. */
export function openConnectionRoom<M extends Member>({
  maxConnections,
  maxOfNetwork,
  trustProxy,
  onFull,
}: RoomOptions) {
  const isProxy = proxyAddress.compile([...trustProxy])
  const members = new Map<Socket, M>()
  const networks = new Map<string, Set<M>>()
  /** By socket, which forgets its address when it closes. */
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

  /** Closes one of so many; false where each is at work for somebody known. */
  function giveUpOne(among: Iterable<M>): boolean {
    const least = findLeast(among)
    if (least === undefined) return false
    least.socket.destroy()
    remove(least.socket)
    return true
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
    /** Takes a connection in; false where there is no room for it. */
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
