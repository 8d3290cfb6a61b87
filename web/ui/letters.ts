/** Texts as people count their letters: an accent or the parts of one picture are no letters of their own. */
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

export const lettersOf = (text: string): string[] => Array.from(graphemes.segment(text), ({ segment }) => segment)
