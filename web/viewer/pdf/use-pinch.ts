/** Zooming a document with two fingers, or with Ctrl and the wheel. */
import { type RefObject, useEffect } from 'react'
import { useStable } from '../../ui/use-stable.ts'

interface PinchOptions {
  scroller: RefObject<HTMLElement | null>
  /** The element that is scaled during the pinch. */
  content: RefObject<HTMLElement | null>
  /** Called with the factor when the fingers are lifted. */
  onPinch: (factor: number) => void
  /** Called for each notch of the wheel: 1 zooms in. */
  onStep: (direction: 1 | -1) => void
}

/** The wheel delta of one notch. */
const notch = 100

const spread = ({ touches: [a, b] }: TouchEvent): number =>
  a && b ? Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) : 0

export function usePinch({ scroller, content, ...callbacks }: PinchOptions): void {
  const { onPinch, onStep } = useStable(callbacks)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return
    const listening = new AbortController()
    const { signal } = listening
    let turned = 0
    let [start, factor] = [0, 1]
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      turned += event.deltaY
      if (Math.abs(turned) < notch) return
      onStep(turned < 0 ? 1 : -1)
      turned = 0
    }
    const show = (scale: number) => {
      if (content.current !== null) content.current.style.transform = scale === 1 ? '' : `scale(${scale})`
    }
    const onTouchMove = (event: TouchEvent) => {
      if (event.touches.length !== 2) return
      event.preventDefault()
      if (start === 0) start = spread(event)
      factor = spread(event) / start
      show(factor)
    }
    const onTouchEnd = () => {
      if (start === 0) return
      show(1)
      onPinch(factor)
      start = 0
    }
    element.addEventListener('wheel', onWheel, { signal, passive: false })
    element.addEventListener('touchmove', onTouchMove, { signal, passive: false })
    element.addEventListener('touchend', onTouchEnd, { signal })
    element.addEventListener('touchcancel', onTouchEnd, { signal })
    return () => listening.abort()
  }, [scroller, content, onPinch, onStep])
}
