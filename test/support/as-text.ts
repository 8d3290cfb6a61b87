/** The text of any value, as a careless client would write it into an address, a form or a header. */
export const asText = (value: unknown): string =>
  (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()
