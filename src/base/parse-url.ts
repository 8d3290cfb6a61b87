/** Parses addresses. */

/**
 * An absolute address; null if the text is none. `URL.canParse` is not used: in Node 20 it refuses letters such as ü once
 * it has been called some thousand times and is compiled.
 */
export function parseUrl(text: string): URL | null {
  try {
    return new URL(text)
  } catch {
    return null
  }
}
