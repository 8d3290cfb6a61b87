/** Functions with a stable identity, for memoised children. */
import { useLayoutEffect, useMemo, useRef } from 'react'

// biome-ignore lint/suspicious/noExplicitAny: functions of every shape pass through unchanged
type Functions = Record<string, (...args: any[]) => any>

/** The same functions on every render; each calls the latest one of its name. */
export function useStable<Shape extends Functions>(functions: Shape): Shape {
  const latest = useRef(functions)
  useLayoutEffect(() => {
    latest.current = functions
  })
  return useMemo(() => {
    const names = Object.keys(latest.current)
    const forward =
      (name: string) =>
      (...args: unknown[]) =>
        latest.current[name]?.(...args)
    return Object.fromEntries(names.map(name => [name, forward(name)])) as Shape
  }, [])
}
