/** The levels of access, in the order of what they allow; `upload` is beside `view`, not above it. */
export const shareLevels = ['view', 'upload', 'edit', 'manage'] as const
export type ShareLevel = (typeof shareLevels)[number]
