/** Splits texts into graphemes: an accent or a part of an emoji is not a character of its own. */
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** A text of printable ASCII, in which every character is a grapheme. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)

export const lettersOf = (text: string): string[] =>
  isPlain(text) ? [...text] : Array.from(graphemes.segment(text), ({ segment }) => segment)
