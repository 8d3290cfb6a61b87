/** A right input for every call of the contract, by somebody who may make it: what tests turn one thing wrong in. */
import type { Endpoint } from '../../src/api/endpoint.ts'
import { expectations } from '../matrix/expectations.ts'
import { type Input, inputs } from '../matrix/inputs.ts'
import { endpointOf } from '../matrix/send.ts'
import { buildWorld, type Caller, type World } from '../matrix/world.ts'
import type { TestServer } from '../support/test-server.ts'

export interface RightCall {
  /** As the matrix calls its rows: `batchFiles: move`. */
  row: string
  endpoint: Endpoint
  input: Input
}

export interface EveryCall {
  world: World
  /** Who may make all of them. */
  caller: Caller
  calls: readonly RightCall[]
}

/** Rows whose input must be made anew for each call, by changing what others stand on. */
const disturbing = /last admin|: system|: in use/

/** Builds the world of the matrix, and the input of each of its rows. */
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
