/** Components that come over the wire when they are first needed. */
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'

export type PartModule<Name extends string, Props> = { [name in Name]: ComponentType<Props> }

export interface LatePart<Props> {
  (props: Props): ReactNode
  /** Fetches it, so that it is there at once when it is wanted; what fails is fetched again when it is drawn. */
  fetch(): void
}

/**
 * The component of a module, and what stands in its place until it has come. Not `React.lazy`: what suspends, were it
 * for a moment, React draws no sooner than 300 ms later.
 */
export function createLatePart<Name extends string, Props extends object>(
  load: () => Promise<PartModule<Name, Props>>,
  name: Name,
  Waiting?: ComponentType,
  /** How it is fetched once it is drawn. */
  insist = load,
): LatePart<Props> {
  let Part: ComponentType<Props> | undefined
  const take = (module: PartModule<Name, Props>): void => {
    Part = module[name]
  }
  function Late(props: Props) {
    const [state, setState] = useState<{ error?: unknown }>({})
    useEffect(() => {
      if (Part !== undefined) return
      insist()
        .then(take)
        .then(
          () => setState({}),
          (error: unknown) => setState({ error }),
        )
    }, [])
    if ('error' in state) throw state.error
    if (Part !== undefined) return <Part {...props} />
    return Waiting && <Waiting />
  }
  Late.fetch = () => void load().then(take, () => undefined)
  return Late
}
