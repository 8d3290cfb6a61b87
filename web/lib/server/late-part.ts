/** Parts of the product that come when they are first needed, also from a server that is away at that moment. */
import type { ComponentType } from 'react'
import { createLatePart, type LatePart, type PartModule } from '../../ui/late-part.tsx'
import { watch } from './connection.ts'

/**
 * Waits for a server that is away, instead of failing at once. Browsers remember that a module could not be had, so the
 * second try may fail too: then the router loads the page anew, which it could not have done before.
 */
export const patiently =
  <Module>(load: () => Promise<Module>) =>
  (): Promise<Module> =>
    load().catch(async () => {
      await watch()
      return load()
    })

/** The component of a module, fetched when it is first drawn, and what stands in its place meanwhile. */
export const latePart = <Name extends string, Props extends object>(
  load: () => Promise<PartModule<Name, Props>>,
  name: Name,
  Waiting?: ComponentType,
): LatePart<Props> => createLatePart(load, name, Waiting, patiently(load))
