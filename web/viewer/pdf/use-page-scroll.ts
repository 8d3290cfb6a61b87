/** The scroll position of a document: the current page, and keeping the position when the layout changes. */
import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { anchorAt, heightOf, type PageLayout, pageAt, pageGap } from './page-layout.ts'

interface PageScroll {
  /** Pixels from the top. */
  top: number
  /** The page a third down the window, or the one that the user went to. */
  page: number
  goTo: (page: number) => void
  onScroll: () => void
}

export function usePageScroll(scroller: RefObject<HTMLElement | null>, layout: PageLayout): PageScroll {
  const [{ top, page }, setPlace] = useState({ top: 0, page: 1 })
  const shown = useRef({ layout, top: 0, left: 0 })
  /** A page that the user went to; near the end it may not reach the top of the window. */
  const aim = useRef<number | null>(null)

  const onScroll = useCallback(() => {
    const element = scroller.current
    if (element === null) return
    const { scrollTop, scrollLeft, clientHeight } = element
    shown.current = { ...shown.current, top: scrollTop, left: scrollLeft }
    const seen = pageAt(shown.current.layout, scrollTop === 0 ? 0 : scrollTop + clientHeight / 3)
    setPlace({ top: scrollTop, page: aim.current ?? seen })
    aim.current = null
  }, [scroller])

  const scrollTo = useCallback(
    (wanted: number, left?: number) => {
      const element = scroller.current
      if (element === null) return
      element.scrollTop = wanted
      if (left !== undefined) element.scrollLeft = left
      onScroll()
    },
    [scroller, onScroll],
  )

  useLayoutEffect(() => {
    const { layout: before, top: from, left } = shown.current
    shown.current.layout = layout
    const element = scroller.current
    if (element === null || before === layout || before.pages.length === 0) return
    const { clientHeight, clientWidth } = element
    // At the top stay at the top; elsewhere keep the middle of the window in place.
    const to = from === 0 ? 0 : heightOf(layout, anchorAt(before, from + clientHeight / 2)) - clientHeight / 2
    const across = (left + clientWidth / 2) / Math.max(clientWidth, before.width)
    scrollTo(to, across * Math.max(clientWidth, layout.width) - clientWidth / 2)
  }, [layout, scroller, scrollTo])

  const goTo = (wanted: number) => {
    const target = layout.pages[wanted - 1]
    if (target === undefined) return
    aim.current = wanted
    scrollTo(target.top - pageGap)
    // Set it again: scrollTo has cleared it, and the browser's own scroll event is still to come.
    aim.current = wanted
  }
  return { top, page, goTo, onScroll }
}
