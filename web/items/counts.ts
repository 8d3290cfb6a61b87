/** Counts in words. */

const count = (amount: number, one: string, many: string): string =>
  `${amount.toLocaleString('en-US')} ${amount === 1 ? one : many}`

export const itemCount = (total: number): string => count(total, 'item', 'items')

export const fileCount = (files: number): string => count(files, 'file', 'files')

export const memberCount = (members: number): string => count(members, 'member', 'members')

export const shareCount = (shares: number): string => count(shares, 'share', 'shares')

export const linkCount = (links: number): string => count(links, 'link', 'links')

/** `5 folders, 16 files`. */
export const folderAndFileCount = (folders: number, files: number): string =>
  `${count(folders, 'folder', 'folders')}, ${fileCount(files)}`

/** How many files of others are not approved yet: `1 file waits for approval`. */
export const heldWords = (held: number): string => `${fileCount(held)} ${held === 1 ? 'waits' : 'wait'} for approval`
