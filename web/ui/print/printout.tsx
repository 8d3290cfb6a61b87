/** What a printer gets instead of the page. It is rendered while the browser prints, and never seen on the screen. */
import './light-paper.ts'
import { useWindowEvent } from '@mantine/hooks'
import { type ReactNode, useEffect, useState } from 'react'
import { createPortal, flushSync } from 'react-dom'
import styles from './printout.module.css'

interface PrintoutProps {
  /** Whether it belongs to what covers the page, whose own printouts are then left out. */
  isOver?: boolean
  /** Whether it is rendered already, so that its pictures load before the browser prints. */
  isReady?: boolean
  /** Replaces the browser's Ctrl+P, for what has to load first; then it calls `window.print()`. */
  onPrintKey?: () => void
  children: () => ReactNode
}

/** How many printouts belong to what covers the page. */
let covers = 0

export function Printout({ isOver = false, isReady = false, onPrintKey, children }: PrintoutProps) {
  const [isPrinting, setPrinting] = useState(false)
  const isCovered = () => !isOver && covers > 0
  useEffect(() => {
    if (!isOver) return
    covers++
    return () => void covers--
  }, [isOver])
  // The browser prints what is there when this event ends.
  useWindowEvent('beforeprint', () => flushSync(() => setPrinting(!isCovered())))
  useWindowEvent('afterprint', () => setPrinting(false))
  useWindowEvent('keydown', event => {
    if (onPrintKey === undefined || isCovered() || !isPrintKey(event)) return
    event.preventDefault()
    onPrintKey()
  })
  if (!isPrinting && !isReady) return null
  return createPortal(
    <div className={styles.paper} data-paper>
      {children()}
    </div>,
    document.body,
  )
}

const isPrintKey = ({ key, ctrlKey, metaKey, altKey, shiftKey, defaultPrevented }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'p' && ctrlKey !== metaKey && !altKey && !shiftKey && !defaultPrevented
