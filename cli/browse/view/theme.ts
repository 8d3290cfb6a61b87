/** Colours by their meaning. Without colour, marks and weight say the same. */
const colors = {
  accent: 'cyan',
  folder: 'blue',
  good: 'green',
  warning: 'yellow',
  bad: 'red',
} as const

let isColored = true

/** Turns all colours off, as NO_COLOR asks. */
export function setColors(wanted: boolean): void {
  isColored = wanted
}

/** A colour for Ink, or none. */
export const colorOf = (meaning: keyof typeof colors): string | undefined => (isColored ? colors[meaning] : undefined)

/** A colour that somebody chose, as #RRGGBB. */
export const chosenColor = (hex: string): string | undefined => (isColored ? hex : undefined)
