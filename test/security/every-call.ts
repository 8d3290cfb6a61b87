/** A valid input for every call of the contract, by a caller with the permission; tests change one part of it. */
import type { Endpoint } from '../../src/api/endpoint.ts'
import type { Input } from '../matrix/build-input.ts'
import { expectations } from '../matrix/expectations.ts'
import { inputs } from '../matrix/inputs.ts'
import { endpointOf } from '../matrix/send.ts'
import { buildWorld, type Caller, type World } from '../matrix/world.ts'
import type { TestServer } from '../support/test-server.ts'

export interface RightCall {
  /** The name of the row in the matrix: `batchFiles: move`. */
  row: string
  endpoint: Endpoint
  input: Input
}

export interface EveryCall {
  world: World
  /** A caller with the permission for every call. */
  caller: Caller
  calls: readonly RightCall[]
}

/** Rows that need a new input for each call, because each call changes what other rows use. */
const disturbing = /last admin|: system|: in use/

/** Builds the world of the matrix, and an input for each of its rows. */
export async function buildEveryCall(server: TestServer): Promise<EveryCall> {
  const world = await buildWorld(server)
  const caller = world.admin
  const calls: RightCall[] = []
  for (const { row, name, own } of expectations.filter(one => !disturbing.test(one.row))) {
    const item = await world.item(caller.user, own.length === 2 ? 'folder' : 'file', 'live')
    const input = (await inputs[row]?.({ world, caller, of: caller.user, item })) ?? {}
    calls.push({ row, endpoint: endpointOf(name), input })
  }
  return { world, caller, calls }
}
