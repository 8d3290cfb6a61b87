/** Lazily loaded components that also survive a server that is down at that moment. */
import type { ComponentType } from 'react'
import { createLazyPart, type LazyPart, type PartModule } from '../../ui/lazy-part.tsx'
import { watch } from './connection.ts'

/**
 * Waits for a server that is down instead of failing at once. Browsers remember a failed module, so the second try may
 * fail as well. Then the router reloads the page, which it could not have done while the server was down.
 */
export const patiently =
  <Module>(load: () => Promise<Module>) =>
  (): Promise<Module> =>
    load().catch(async () => {
      await watch()
      return load()
    })

/** A module's component, loaded when it is first rendered, and a placeholder until then. */
export const lazyPart = <Name extends string, Props extends object>(
  load: () => Promise<PartModule<Name, Props>>,
  name: Name,
  Waiting?: ComponentType,
): LazyPart<Props> => createLazyPart(load, name, Waiting, patiently(load))
