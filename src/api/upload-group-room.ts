/** How many small files a client sends in one request. */
import { inlineLimit, maxGroupBytes, maxGroupInlineBytes, maxUploadManyFiles } from './limits.ts'

/** Opens the count of one request; returns a function that takes one more file of so many bytes, or returns false. */
export function openGroupRoom(): (bytes: number) => boolean {
  let [files, sum, inline] = [0, 0, 0]
  return bytes => {
    const kept = bytes <= inlineLimit ? bytes : 0
    if (files === maxUploadManyFiles || sum + bytes > maxGroupBytes || inline + kept > maxGroupInlineBytes) return false
    files += 1
    sum += bytes
    inline += kept
    return true
  }
}
