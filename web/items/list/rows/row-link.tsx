/** A link in a row or card, which can be opened in a new tab. Kept light, because a list renders thousands of them. */
import type { MouseEvent, ReactNode } from 'react'
import { basePath } from '../../../lib/server/config.ts'

export interface RowLinkProps {
  /** The address within the product, without a slash at its start. */
  to: string
  className: string | undefined
  title: string
  /** The accessible name, where the content alone does not say where the link leads. */
  label?: string
  tabIndex?: number
  /** Handles a plain click. Without it the row handles the click, as it does with a modifier key. */
  onOpen: (() => void) | undefined
  children: ReactNode
}

export function RowLink({ to, label, onOpen, children, tabIndex = -1, ...rest }: RowLinkProps) {
  const click = (event: MouseEvent) => {
    event.preventDefault()
    if (onOpen === undefined || event.shiftKey || event.ctrlKey || event.metaKey) return
    event.stopPropagation()
    onOpen()
  }
  return (
    <a
      href={basePath + to}
      tabIndex={tabIndex}
      draggable={false}
      dir="auto"
      aria-label={label}
      onClick={click}
      {...rest}
    >
      {children}
    </a>
  )
}
