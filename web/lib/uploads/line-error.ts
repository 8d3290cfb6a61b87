/** The connection broke, or the server cannot be reached. */
export class LineError extends Error {}
