/** The layout of a document's pages, one below the other. Lengths are CSS pixels. */

export interface PageSize {
  width: number
  height: number
}

/** The space between two pages, and around all of them. */
export const pageGap = 16

export interface PageLayout {
  pages: readonly (PageSize & { top: number })[]
  width: number
  height: number
}

/** Lays out pages of these sizes, rotated by some degrees and scaled by a factor. */
export function layOutPages(sizes: readonly PageSize[], scale: number, rotation: number): PageLayout {
  let top = pageGap
  let widest = 0
  const pages = sizes.map(({ width, height }) => {
    const [across, down] = rotation % 180 === 0 ? [width, height] : [height, width]
    const page = { width: Math.floor(across * scale), height: Math.floor(down * scale), top }
    top += page.height + pageGap
    widest = Math.max(widest, page.width)
    return page
  })
  return { pages, width: widest + 2 * pageGap, height: top }
}

/** The number, from 1, of the page at a height. A gap belongs to the page above it. */
export function pageAt({ pages }: PageLayout, y: number): number {
  let [least, most] = [0, pages.length - 1]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if ((pages[middle]?.top ?? 0) <= y) least = middle
    else most = middle - 1
  }
  return least + 1
}

/** A position in a document that does not depend on its layout. */
interface Anchor {
  page: number
  /** How far down the page, from 0 to 1. */
  down: number
}

export function anchorAt(layout: PageLayout, y: number): Anchor {
  const page = pageAt(layout, y)
  const { top, height } = layout.pages[page - 1] ?? { top: 0, height: 1 }
  return { page, down: (y - top) / height }
}

export function heightOf({ pages }: PageLayout, { page, down }: Anchor): number {
  const { top, height } = pages[page - 1] ?? { top: 0, height: 0 }
  return top + down * height
}
