/** Zooming and moving a picture with buttons, wheel, mouse and fingers. */
import { type PointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import { useStable } from '../../ui/use-stable.ts'
import { canMove, clampScale, fitScale, moveBy, type Placement, type Point, zoomStep, zoomTo } from './zoom-pan.ts'

interface Size {
  width: number
  height: number
}

interface ZoomPanOptions {
  stage: RefObject<HTMLElement | null>
  /** Both are zero until known. */
  stageSize: Size
  picture: Size
  /** Called when a finger swipes a fitted picture sideways: 1 for the next file, -1 for the previous one. */
  onSwipe: (step: 1 | -1) => void
}

interface ZoomPan {
  placement: Placement
  canMove: boolean
  zoomIn: (() => void) | undefined
  zoomOut: (() => void) | undefined
  /** Shows the whole picture. */
  fit: () => void
  /** Fits the picture, or shows it at its own size when it already fits. */
  toggle: (at: Point) => void
  handlers: Record<'onPointerDown' | 'onPointerMove' | 'onPointerUp' | 'onPointerCancel', (event: PointerEvent) => void>
}

/** Pixels that a swipe needs to turn to another file. */
const swipeLength = 60
/** The wheel delta of one notch, which makes one zoom step. */
const notch = 100
const centre: Point = { x: 0, y: 0 }

const distance = ([a, b]: readonly Point[]): number => (a && b ? Math.hypot(a.x - b.x, a.y - b.y) : 0)
const middle = ([a, b]: readonly Point[]): Point => (a && b ? { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : centre)

export function useZoomPan({ stage, stageSize, picture, onSwipe }: ZoomPanOptions): ZoomPan {
  /** Null while the picture is fitted; it then follows the size of the stage. */
  const [chosen, setChosen] = useState<Placement | null>(null)
  const pointers = useRef(new Map<number, Point>())
  const swipe = useRef<Point | null>(null)
  const fitted = fitScale(picture, stageSize)
  const placement = chosen ?? { scale: fitted, ...centre }
  const { scale } = placement
  const zoom = (factor: number, at: Point) =>
    setChosen(now => {
      const from = now ?? { scale: fitted, ...centre }
      return zoomTo(from, from.scale * factor, at, picture, stageSize)
    })
  const move = (by: Point) => setChosen(now => moveBy(now ?? { scale: fitted, ...centre }, by, picture, stageSize))
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
    if (points.length === 1) {
      if (swipe.current === null) move({ x: x - before.x, y: y - before.y })
      return
    }
    swipe.current = null
    const [from, to] = [middle(points), middle(now)]
    move({ x: to.x - from.x, y: to.y - from.y })
    if (distance(points) > 0) zoom(distance(now) / distance(points), onStage(to))
  }
  const onPointerUp = ({ pointerId, clientX: x, clientY: y }: PointerEvent) => {
    pointers.current.delete(pointerId)
    const start = swipe.current
    swipe.current = null
    if (start === null || Math.abs(x - start.x) < Math.max(swipeLength, Math.abs(y - start.y))) return
    onSwipe(x < start.x ? 1 : -1)
  }
  /** A function that zooms by a factor; undefined when the limit is reached. */
  const zoomBy = (factor: number) =>
    picture.width > 0 && clampScale(scale * factor, fitted) !== scale ? () => zoom(factor, centre) : undefined
  const isMovable = canMove(placement, picture, stageSize)
  return {
    placement,
    canMove: isMovable,
    zoomIn: zoomBy(zoomStep),
    zoomOut: zoomBy(1 / zoomStep),
    fit: () => setChosen(null),
    toggle: at =>
      setChosen(now =>
        now === null ? zoomTo({ scale: fitted, ...centre }, 1, onStage(at), picture, stageSize) : null,
      ),
    handlers: {
      onPointerDown: event => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        const point = { x: event.clientX, y: event.clientY }
        pointers.current.set(event.pointerId, point)
        swipe.current = event.pointerType === 'touch' && pointers.current.size === 1 && !isMovable ? point : null
      },
      onPointerMove,
      onPointerUp,
      onPointerCancel: ({ pointerId }) => {
        pointers.current.delete(pointerId)
        swipe.current = null
      },
    },
  }
}
