/** Zooming and moving a picture with buttons, wheel, mouse and fingers. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useStable } from '../../ui/use-stable.ts'
import { useDoubleTap } from './use-double-tap.ts'
import {
  canMove,
  clampScale,
  enlarged,
  fitScale,
  moveBy,
  type Placement,
  type Point,
  zoomStep,
  zoomTo,
} from './zoom-pan.ts'

interface Size {
  width: number
  height: number
}

interface ZoomPanOptions {
  stage: RefObject<HTMLElement | null>
  /** Both are zero until known. */
  stageSize: Size
  picture: Size
}

interface ZoomPan {
  placement: Placement
  canMove: boolean
  zoomIn: (() => void) | undefined
  zoomOut: (() => void) | undefined
  /** Shows the whole picture. */
  fit: () => void
  /** Fits the picture; one that fits is enlarged around a point. */
  toggle: (at: Point) => void
  handlers: Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel', (event: PointerEvent) => void>
}

/** The wheel delta of one notch, which makes one zoom step. */
const notch = 100
const centre: Point = { x: 0, y: 0 }

const distance = ([a, b]: readonly Point[]): number => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0)
const middle = ([a, b]: readonly Point[]): Point => (a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : centre)

export function useZoomPan({ stage, stageSize, picture }: ZoomPanOptions): ZoomPan {
  /** Null while the picture is fitted; it then follows the size of the stage. */
  const [chosen, setChosen] = useState<Placement | null>(null)
  const pointers = useRef(new Map<number, Point>())
  const fitted = fitScale(picture, stageSize)
  const placement = chosen ?? { scale: fitted, ...centre }
  const { scale } = placement
  // A finger may move before the picture has loaded; what it chose then would enlarge the picture.
  const choose = (next: (now: Placement | null) => Placement | null) => {
    if (picture.width > 0 && stageSize.width > 0) setChosen(next)
  }
  const zoom = (factor: number, at: Point) =>
    choose(now => {
      const from = now ?? { scale: fitted, ...centre }
      return zoomTo(from, from.scale * factor, at, picture, stageSize)
    })
  const move = (by: Point) => choose(now => moveBy(now ?? { scale: fitted, ...centre }, by, picture, stageSize))
  /** Converts a point of the window to coordinates from the middle of the stage. */
  const onStage = ({ x, y }: Point): Point => {
    const box = stage.current?.getBoundingClientRect()
    return box ? { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 } : centre
  }
  const { onWheel } = useStable({
    onWheel: (event: WheelEvent) => {
      event.preventDefault()
      if (event.ctrlKey || event.metaKey) {
        zoom(zoomStep ** (-event.deltaY / notch), onStage({ x: event.clientX, y: event.clientY }))
      } else move({ x: -event.deltaX, y: -event.deltaY })
    },
  })
  useEffect(() => {
    const element = stage.current
    // React's wheel listeners are passive, so they could not keep the browser from zooming the whole page.
    element?.addEventListener('wheel', onWheel, { passive: false })
    return () => element?.removeEventListener('wheel', onWheel)
  }, [stage, onWheel])

  const onPointerMove = ({ pointerId, clientX: x, clientY: y }: PointerEvent) => {
    const before = pointers.current.get(pointerId)
    if (before === undefined) return
    const points = [...pointers.current.values()]
    pointers.current.set(pointerId, { x, y })
    const now = [...pointers.current.values()]
    if (points.length === 1) return move({ x: x - before.x, y: y - before.y })
    const [from, to] = [middle(points), middle(now)]
    move({ x: to.x - from.x, y: to.y - from.y })
    if (distance(points) > 0) zoom(distance(now) / distance(points), onStage(to))
  }
  const toggle = (at: Point) =>
    choose(now =>
      now === null ? zoomTo({ scale: fitted, ...centre }, enlarged(fitted), onStage(at), picture, stageSize) : null,
    )
  const doubleTap = useDoubleTap(toggle)
  const onPointerUp = (event: PointerEvent) => {
    pointers.current.delete(event.pointerId)
    doubleTap.end(event)
    // What was pinched smaller than it fits comes back.
    if (event.pointerType !== 'mouse') setChosen(now => (now !== null && now.scale <= fitted ? null : now))
  }
  /** A function that zooms by a factor; undefined when the limit is reached. */
  const zoomBy = (factor: number) =>
    picture.width > 0 && clampScale(scale * factor, fitted) !== scale ? () => zoom(factor, centre) : undefined
  return {
    placement,
    canMove: canMove(placement, picture, stageSize),
    zoomIn: zoomBy(zoomStep),
    zoomOut: zoomBy(1 / zoomStep),
    fit: () => setChosen(null),
    toggle,
    handlers: {
      onPointerDown: event => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        pointers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
        doubleTap.begin(event, pointers.current.size === 1)
      },
      onPointerMove,
      onPointerUp,
      onPointerCancel: ({ pointerId }) => void pointers.current.delete(pointerId),
    },
  }
}
