/** Puts the controls of a file type into the viewer's head, or on a phone below the stage. */
import { createContext, type ReactNode, useContext } from 'react'
import { createPortal } from 'react-dom'

/** The element that holds them; null until it is rendered. */
export const ToolsPlace = createContext<HTMLElement | null>(null)

export function StageTools({ children }: { children: ReactNode }) {
  const place = useContext(ToolsPlace)
  return place === null ? null : createPortal(children, place)
}
