/** Lazily loaded components. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

export type PartModule<Name extends string, Props> = { [name in Name]: ComponentType<Props> }

export interface LazyPart<Props> {
  (props: Props): ReactNode
  /** Loads the code early, so that it is there when needed. After a failure it is loaded again on rendering. */
  fetch(): void
}

/**
 * A lazily loaded component and its placeholder. Not `React.lazy`: React shows a suspended component at least 300 ms
 * late, even if it was suspended only for a moment.
 */
export function createLazyPart<Name extends string, Props extends object>(
  load: () => Promise<PartModule<Name, Props>>,
  name: Name,
  Waiting?: ComponentType,
  /** How to load it once it is rendered. */
  insist = load,
): LazyPart<Props> {
  let Part: ComponentType<Props> | undefined
  const take = (module: PartModule<Name, Props>): void => {
    Part = module[name]
  }
  function Lazy(props: Props) {
    const [state, setState] = useState<{ error?: unknown }>({})
    const [isLate] = useState(Part === undefined)
    useEffect(() => {
      if (!isLate) return
      // The code may have come between the first rendering and this effect; then nothing else renders it.
      const loading = Part === undefined ? insist().then(take) : Promise.resolve()
      loading.then(
        () => setState({}),
        (error: unknown) => setState({ error }),
      )
    }, [isLate])
    if ('error' in state) throw state.error
    if (Part !== undefined) return <Part {...props} />
    return Waiting && <Waiting />
  }
  Lazy.fetch = () => void load().then(take, () => undefined)
  return Lazy
}
