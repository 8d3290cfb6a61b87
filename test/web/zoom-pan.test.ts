/** Zooming and moving a picture in its frame. */
import { expect, test } from 'vitest'
import { clampScale, fitScale, moveBy, zoomTo } from '../../web/viewer/image/zoom-pan.ts'

const stage = { width: 1032, height: 632 }
const picture = { width: 2000, height: 1000 }
const start = { scale: 0.5, x: 0, y: 0 }

test('a picture is fitted between the margins, but never enlarged', () => {
  expect(fitScale(picture, stage)).toBe(0.5)
  expect(fitScale({ width: 10, height: 10 }, stage)).toBe(1)
})

test('the zoom is between 20 % and 500 %, or smaller if a huge picture needs it to fit', () => {
  expect(clampScale(9, 0.5)).toBe(5)
  expect(clampScale(0.01, 0.5)).toBe(0.2)
  expect(clampScale(0.01, 0.05)).toBe(0.05)
})

test('the point under the pointer keeps its place during a zoom', () => {
  const { scale, x, y } = zoomTo(start, 2, { x: 100, y: -50 }, picture, stage)
  expect([scale, x, y]).toEqual([2, -300, 150])
})

test('a picture moves no further than its edge, and a small picture does not move', () => {
  expect(moveBy(start, { x: 40, y: 40 }, picture, stage)).toEqual(start)
  expect(moveBy({ scale: 1, x: 0, y: 0 }, { x: 9999, y: -9999 }, picture, stage)).toEqual({ scale: 1, x: 500, y: -200 })
})
