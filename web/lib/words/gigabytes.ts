/** Sizes as forms have them: text, in GB. */

/** Bytes of 1 GB. */
const gigabyte = 1024 ** 3

/** Bytes in GB with at most two decimals. */
export const toGigabytes = (bytes: number): string => String(Number((bytes / gigabyte).toFixed(2)))

export const toBytes = (text: string): number => Math.round(Number(text) * gigabyte)
