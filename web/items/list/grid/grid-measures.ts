/** The grid's measures in pixels: how many cards stand side by side, and how high its rows are. */
import { rowAt, rowOf, type Shape } from './grid-geometry.ts'

/** A card's least width, the space at both sides of the grid, and that between two cards. */
const leastCard = 164
const side = 12
const gap = 8
/** Between a card's edge and its picture. */
const cardPadding = 4
/** Name and size below the picture, with the space around them. */
const words = 50
const rowGap = 14
const barHeight = 44
/** Between the last bar and the first card. */
const sectionGap = 12

export const columnsIn = (width: number): number =>
  Math.max(1, Math.floor((width - 2 * side + gap) / (leastCard + gap)))

/** A card's picture is as wide as the card allows, at 4 to 3. */
export function cardHeight(width: number, columns: number): number {
  const card = (width - 2 * side - gap * (columns - 1)) / columns
  return Math.round((card - 2 * cardPadding) * 0.75) + cardPadding + words
}

export function rowHeightOf(row: number, shape: Shape, width: number): number {
  const { start, isFolders } = rowAt(row, shape)
  if (!isFolders) return cardHeight(width, shape.columns) + rowGap
  return barHeight + (row === rowOf(shape.folders - 1, shape) && start < shape.folders ? sectionGap : gap)
}
