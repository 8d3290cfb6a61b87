/** The line broke, or there is nobody at its other end. */
export class LineError extends Error {}
