/** The items that a long act is at work on: they are dimmed and not selected, and nothing else acts on them. */
import { create } from 'zustand'

const nothing: ReadonlySet<number> = new Set()

/** The ids of the items of all such acts. */
export const useInHand = create<{ ids: ReadonlySet<number> }>(() => ({ ids: nothing }))

export const isInHand = ({ id }: { id: number }): boolean => useInHand.getState().ids.has(id)

/** Takes items in hand; returns a function that lets go of some of them. */
export function takeInHand(items: readonly { id: number }[]): (items: readonly { id: number }[]) => void {
  const { ids } = useInHand.getState()
  useInHand.setState({ ids: new Set([...ids, ...items.map(({ id }) => id)]) })
  return released => {
    const rest = new Set(useInHand.getState().ids)
    for (const { id } of released) rest.delete(id)
    useInHand.setState({ ids: rest.size === 0 ? nothing : rest })
  }
}
