/** Checks the size of a JSON text by its bytes, before it is parsed: parsing a megabyte of brackets takes 0.2 s. */
import { maxJsonDepth, maxJsonValues } from '../api/limits.ts'
import { AppError } from '../base/errors.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
/** `[` and `{`, `]` and `}` differ in this bit alone. */
const braceBit = 0x20
const opening = 0x7b
const closing = 0x7d

/** The position of the quote that ends a text; the length of the bytes if none does. */
function endOfText(bytes: Buffer, start: number): number {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++
    else if (bytes[at] === quote) return at
  }
  return bytes.length
}

/**
 * Throws `invalid_input` for JSON that is nested too deeply or has too many values. It stops at the first one too many.
 * Every value but the first of a list or object follows a comma, and every list and object has its bracket. Whether the
 * bytes are JSON at all is left to the parser. In UTF-8 these characters occur only as themselves.
 */
export function checkJsonSize(bytes: Buffer): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) at = endOfText(bytes, at + 1)
    else if (byte === comma) values += 1
    else if ((byte | braceBit) === closing) depth -= 1
    else if ((byte | braceBit) === opening) {
      values += 1
      depth += 1
      if (depth > maxJsonDepth) {
        throw new AppError('invalid_input', `The body is nested deeper than ${maxJsonDepth} levels`)
      }
    }
    if (values > maxJsonValues) throw new AppError('invalid_input', `The body has more than ${maxJsonValues} values`)
  }
}
