/** Colours by their meaning. Without colour, marks and weight show the same. */
const colors = {
  accent: 'cyan',
  folder: 'blue',
  good: 'green',
  warning: 'yellow',
  bad: 'red',
} as const

let isColored = true

/** Turns all colours on, or off as NO_COLOR asks. */
export function setColors(wanted: boolean): void {
  isColored = wanted
}

/** Returns a colour for Ink, or undefined if colours are off. */
export const colorOf = (meaning: keyof typeof colors): string | undefined => (isColored ? colors[meaning] : undefined)

/** Returns a colour that a person chose, as #RRGGBB, or undefined if colours are off. */
export const chosenColor = (hex: string): string | undefined => (isColored ? hex : undefined)
