/** The place in the viewer's head (on a phone, below the stage) where each kind of file puts its own controls. */
import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** The element that holds them; null until it is there. */
export const ToolsPlace = createContext<HTMLElement | null>(null)

export function StageTools({ children }: { children: ReactNode }) {
  const place = useContext(ToolsPlace)
  return place === null ? null : createPortal(children, place)
}
