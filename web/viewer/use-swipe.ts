/** Swiping with one finger to the next and the previous file. */
import { type RefObject, useEffect } from 'react'
import { useStable } from '../ui/use-stable.ts'

/** Pixels that a swipe needs to turn to another file. */
const swipeLength = 60
/** Pixels after which the finger has a direction. */
const slack = 8
/** What handles fingers itself. */
const ownTouch = '[data-movable], audio, video, input, textarea'

/** Whether an element, or one around it up to the stage, scrolls sideways. */
function scrollsSideways(target: Element, stage: Element): boolean {
  for (let at: Element | null = target; at !== null && at !== stage; at = at.parentElement) {
    if (at.scrollWidth > at.clientWidth && getComputedStyle(at).overflowX !== 'hidden') return true
  }
  return false
}

/** Moves what the stage shows along with the finger, by the style sheet's `--swipe`. */
export function useSwipe(stage: RefObject<HTMLElement | null>, onStep: ((step: 1 | -1) => void) | undefined): void {
  const { turn } = useStable({ turn: (step: 1 | -1) => onStep?.(step) })
  const isOn = onStep !== undefined
  useEffect(() => {
    const element = stage.current
    if (element === null || !isOn) return
    const listening = new AbortController()
    const options = { signal: listening.signal, passive: true }
    let start: { x: number; y: number } | null = null
    let across = 0
    const show = (offset: number | null) => {
      element.toggleAttribute('data-swiping', offset !== null)
      if (offset === null) element.style.removeProperty('--swipe')
      else element.style.setProperty('--swipe', `${offset}px`)
    }
    const end = () => {
      start = null
      across = 0
      show(null)
    }
    const onStart = ({ touches: [touch, second], target }: TouchEvent) => {
      end()
      if (touch === undefined || second !== undefined || !(target instanceof Element)) return
      if (target.closest(ownTouch) !== null || scrollsSideways(target, element)) return
      start = { x: touch.clientX, y: touch.clientY }
    }
    const onMove = ({ touches: [touch, second] }: TouchEvent) => {
      if (start === null || touch === undefined) return
      const [x, y] = [touch.clientX - start.x, touch.clientY - start.y]
      const isVertical = across === 0 && Math.abs(y) > Math.max(slack, Math.abs(x))
      if (second !== undefined || isVertical) return end()
      if (across === 0 && Math.abs(x) <= slack) return
      across = x
      show(x)
    }
    const onEnd = () => {
      const step = across < 0 ? 1 : -1
      const isLong = Math.abs(across) >= swipeLength
      end()
      if (isLong) turn(step)
    }
    element.addEventListener('touchstart', onStart, options)
    element.addEventListener('touchmove', onMove, options)
    element.addEventListener('touchend', onEnd, options)
    element.addEventListener('touchcancel', end, options)
    return () => {
      end()
      listening.abort()
    }
  }, [stage, isOn, turn])
}
