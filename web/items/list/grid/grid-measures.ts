/** The grid's dimensions in pixels: the number of columns and the height of its rows. */
import { rowAt, rowOf, type Shape } from './grid-geometry.ts'

/** A card's minimum width, the padding at both sides of the grid, and the gap between two cards. */
const leastCard = 164
const side = 12
const gap = 8
/** The padding between a card's edge and its picture. */
const cardPadding = 4
/** The name and size below the picture, with padding. */
const words = 50
const rowGap = 14
const barHeight = 44
/** The space between the last folder and the first file. */
const sectionGap = 12

export const columnsIn = (width: number): number =>
  Math.max(1, Math.floor((width - 2 * side + gap) / (leastCard + gap)))

/** A card's height: the picture is as wide as the card allows, in the ratio 4:3. */
export function cardHeight(width: number, columns: number): number {
  const card = (width - 2 * side - gap * (columns - 1)) / columns
  return Math.round((card - 2 * cardPadding) * 0.75) + cardPadding + words
}

export function rowHeightOf(row: number, shape: Shape, width: number): number {
  const { start, isFolders } = rowAt(row, shape)
  if (!isFolders) return cardHeight(width, shape.columns) + rowGap
  return barHeight + (row === rowOf(shape.folders - 1, shape) && start < shape.folders ? sectionGap : gap)
}
