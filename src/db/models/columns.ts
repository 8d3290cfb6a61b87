/** Values that neither database has a type for; times are integers (ms, UTC) in both. */

/** 0 or 1 in the database. */
export type Flag = 0 | 1

export const toFlag = (value: boolean): Flag => (value ? 1 : 0)
