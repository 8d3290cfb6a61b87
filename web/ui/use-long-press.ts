/** A finger that rests on something: browsers differ in what they report of it, so it is timed here. */
import { type MouseEvent, type PointerEvent, useEffect, useMemo } from 'react'
import { isTouch } from './touch.ts'
import { useStable } from './use-stable.ts'

/** Milliseconds. */
const pressTime = 500
/** Pixels that a resting finger may move. */
const slack = 10

/** Handlers for an element around what can be pressed; `onPress` gets what the finger rests on. */
export function useLongPress(onPress: (target: Element) => void) {
  const { press } = useStable({ press: onPress })
  const handlers = useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isPressed = false
    let [x, y] = [0, 0]
    const stop = () => clearTimeout(timer)
    return {
      stop,
      listeners: {
        onPointerDown: ({ pointerType, isPrimary, clientX, clientY, target }: PointerEvent) => {
          stop()
          isPressed = false
          if (pointerType === 'mouse' || !isPrimary || !(target instanceof Element)) return
          ;[x, y] = [clientX, clientY]
          timer = setTimeout(() => {
            isPressed = true
            press(target)
          }, pressTime)
        },
        onPointerMove: ({ clientX, clientY }: PointerEvent) => {
          if (Math.hypot(clientX - x, clientY - y) > slack) stop()
        },
        onPointerUp: stop,
        onPointerCancel: stop,
        // Some browsers make a click of a long press too.
        onClickCapture: (event: MouseEvent) => {
          if (isPressed) {
            event.stopPropagation()
            // It may be on a link.
            event.preventDefault()
          }
          isPressed = false
        },
        // Others ask for a menu; on a touch screen that is what a button is for.
        onContextMenuCapture: (event: MouseEvent) => {
          if (!isTouch()) return
          event.preventDefault()
          event.stopPropagation()
        },
      },
    }
  }, [press])
  useEffect(() => handlers.stop, [handlers])
  return handlers.listeners
}
