/** The geometry of a picture that is zoomed and moved on a stage. Lengths are CSS pixels. */

interface Size {
  width: number
  height: number
}

export interface Point {
  x: number
  y: number
}

/** Where a picture lies: scale 1 is its own size, and the point is the offset of its middle from the stage's middle. */
export interface Placement extends Point {
  scale: number
}

/** Zoom from 20 % to 500 %, in steps by a factor of 1.2. */
export const zoomStep = 1.2
const leastZoom = 0.2
const mostZoom = 5

/** Around a fitted picture. */
const margin = 16

/** The scale that shows the whole picture; at most 1. */
export const fitScale = (picture: Size, stage: Size): number =>
  Math.min(
    1,
    Math.max(0, stage.width - 2 * margin) / picture.width,
    Math.max(0, stage.height - 2 * margin) / picture.height,
  )

/** The scale of an enlarged picture: its own size or, where that is hardly larger than it fits, twice as large. */
export const enlarged = (fit: number): number => (fit < 0.7 ? 1 : 2 * fit)

/** The nearest allowed scale. A huge picture may be scaled down as far as it takes to fit. */
export const clampScale = (scale: number, fit: number): number =>
  Math.min(mostZoom, Math.max(Math.min(leastZoom, fit), scale))

/** Keeps a larger picture within the stage, and a smaller one centred. */
function clampOffset({ scale, x, y }: Placement, picture: Size, stage: Size): Placement {
  const limit = (offset: number, length: number, room: number) => {
    const most = Math.max(0, (length * scale - room) / 2 + (length * scale > room ? margin : 0))
    return Math.min(most, Math.max(-most, offset))
  }
  return { scale, x: limit(x, picture.width, stage.width), y: limit(y, picture.height, stage.height) }
}

export const moveBy = (now: Placement, by: Point, picture: Size, stage: Size): Placement =>
  clampOffset({ ...now, x: now.x + by.x, y: now.y + by.y }, picture, stage)

/** Zooms around a point (relative to the stage's middle), which keeps its place. */
export function zoomTo(now: Placement, wanted: number, at: Point, picture: Size, stage: Size): Placement {
  const scale = clampScale(wanted, fitScale(picture, stage))
  const ratio = scale / now.scale
  return clampOffset({ scale, x: at.x - (at.x - now.x) * ratio, y: at.y - (at.y - now.y) * ratio }, picture, stage)
}

/** Whether the picture is larger than the stage in any direction. */
export const canMove = ({ scale }: Placement, picture: Size, stage: Size): boolean =>
  picture.width * scale > stage.width || picture.height * scale > stage.height
