/** Sizes as forms have them: text, in GB. */

/** Bytes of 1 GB. */
const gigabyte = 1024 ** 3

/** Bytes in GB with at most two decimals, or three digits below 1 GB, so that a few MB are not 0. */
export function toGigabytes(bytes: number): string {
  const size = bytes / gigabyte
  return String(Number(size < 1 ? size.toPrecision(3) : size.toFixed(2)))
}

export const toBytes = (text: string): number => Math.round(Number(text) * gigabyte)
