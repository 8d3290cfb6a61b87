/** The web addresses that open items. */
import type { FileItem } from './items.ts'

export type Addressed = Pick<FileItem, 'id' | 'is_directory'>

/** The address from the product's base on: of a folder its listing, of a file a page of its own. */
export const pathOf = ({ id, is_directory }: Addressed): string => `${is_directory ? 'files' : 'view'}/${id}`

/** The absolute address; `base` is the product's, with or without a slash at its end. */
export const addressOf = (base: string, item: Addressed): string =>
  new URL(pathOf(item), base.endsWith('/') ? base : `${base}/`).href
