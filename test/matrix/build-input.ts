/** The parts from which the inputs of the matrix are built. */
import type { FileDetails } from '../../src/api/items.ts'
import type { BuiltUser } from '../support/factories.ts'
import type { Caller, World } from './world.ts'

export interface Scene {
  world: World
  caller: Caller
  /** The user who owns the item, tag, key or session. */
  of: BuiltUser
  item: FileDetails
}

export type Input = Record<string, unknown>
export type BuildInput = (scene: Scene) => Input | Promise<Input>

export const nothing: BuildInput = () => ({})
export const theItem: BuildInput = ({ item }) => ({ id: item.id })

/** The input that names a target, with the changes to it. */
export const change =
  (target: BuildInput, changes: Input | ((scene: Scene) => Input | Promise<Input>)): BuildInput =>
  async scene => ({ ...(await target(scene)), ...(typeof changes === 'function' ? await changes(scene) : changes) })
