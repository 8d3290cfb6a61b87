/** Texts as people count their letters: an accent or the parts of one picture are no letters of their own. */
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Texts of which each character is a letter by itself. */
const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)

export const lettersOf = (text: string): string[] =>
  isPlain(text) ? [...text] : Array.from(graphemes.segment(text), ({ segment }) => segment)
