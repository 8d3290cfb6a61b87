/** Compares names of which damage may have changed a character, as one flipped bit does. */

/** Whether two texts of the same length differ in one character. */
export const differByOne = (one: string, other: string): boolean =>
  one.length === other.length && [...one].filter((character, at) => character !== other[at]).length === 1
