/** Loads the pictures of items before they are printed: a browser prints only what it has. */
import type { FileItem } from '../../../src/api/items.ts'
import { thumbnailUrl } from '../../lib/data/thumbnails.ts'

/** The icons of their types stand for further pictures, which would take too long to load. */
const mostPictures = 1000

const loaded = (source: string): Promise<HTMLImageElement> =>
  new Promise(resolve => {
    const picture = new Image()
    picture.onload = picture.onerror = () => resolve(picture)
    picture.src = source
  })

/** The browser keeps the pictures at hand as long as the caller keeps these elements. */
export const loadPictures = (items: readonly FileItem[]): Promise<HTMLImageElement[]> =>
  Promise.all(
    items
      .map(thumbnailUrl)
      .filter(source => source !== null)
      .slice(0, mostPictures)
      .map(loaded),
  )
