/** How many of what, in words. */

const count = (amount: number, one: string, many: string): string =>
  `${amount.toLocaleString('en-US')} ${amount === 1 ? one : many}`

export const itemCount = (total: number): string => count(total, 'item', 'items')

/** `5 folders, 16 files`. */
export const folderAndFileCount = (folders: number, files: number): string =>
  `${count(folders, 'folder', 'folders')}, ${count(files, 'file', 'files')}`
