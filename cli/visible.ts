/** Makes foreign text harmless on a terminal. */

/** Control characters, line and paragraph separators, and what reorders text: `gpj.exe` must not read `exe.jpg`. */
const hazards = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

const escapeCharacter = (character: string): string => {
  const code = character.charCodeAt(0)
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** The text with every character that could command or deceive a terminal written out, such as `\x1b`. */
export const visible = (text: string): string => text.toWellFormed().replace(hazards, escapeCharacter)
