/** Recognises double taps: browsers make double clicks of them only in part. */
import { type PointerEvent, useRef } from 'react'
import type { Point } from './zoom-pan.ts'

/** Milliseconds that a tap may last, and that may lie between two of them. */
const soon = 300
/** Pixels that a finger may move during a tap, and that may lie between two of them. */
const near = 30

interface Tap extends Point {
  at: number
}

const tapOf = ({ clientX: x, clientY: y, timeStamp: at }: PointerEvent): Tap => ({ x, y, at })
const isNear = (a: Tap, b: Tap): boolean => b.at - a.at < soon && Math.hypot(a.x - b.x, a.y - b.y) < near

export function useDoubleTap(onDoubleTap: (at: Point) => void) {
  const down = useRef<Tap | null>(null)
  const tapped = useRef<Tap | null>(null)
  return {
    /** Called when a finger comes down; with a second finger it is no tap. */
    begin: (event: PointerEvent, isAlone: boolean) => {
      down.current = isAlone && event.pointerType !== 'mouse' ? tapOf(event) : null
      if (!isAlone) tapped.current = null
    },
    /** Called when a finger is lifted. */
    end: (event: PointerEvent) => {
      const now = tapOf(event)
      const isTap = down.current !== null && isNear(down.current, now)
      const isSecond = isTap && tapped.current !== null && isNear(tapped.current, now)
      down.current = null
      tapped.current = isTap && !isSecond ? now : null
      if (isSecond) onDoubleTap(now)
    },
  }
}
