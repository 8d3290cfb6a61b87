/** The steps and limits of a document's zoom. */

const leastZoom = 0.5
const mostZoom = 3
const zoomStep = 0.2

/** Rounds to whole percents within the limits. */
export const clampZoom = (zoom: number): number => Math.round(Math.min(mostZoom, Math.max(leastZoom, zoom)) * 100) / 100

/** The next zoom step; undefined at the limit. */
export function nextZoom(zoom: number, direction: 1 | -1): number | undefined {
  const next = clampZoom(zoom + direction * zoomStep)
  return next === zoom ? undefined : next
}
