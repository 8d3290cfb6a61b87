/** What a link allows its visitors: to see what it is on, to add files to it, or both. Never to change anything. */
export const linkLevels = ['view', 'upload', 'both'] as const
export type LinkLevel = (typeof linkLevels)[number]

export const linkSees = (level: LinkLevel): boolean => level !== 'upload'
export const linkAdds = (level: LinkLevel): boolean => level !== 'view'
