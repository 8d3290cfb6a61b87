/** Headers that describe a file; an error response has none of them. */
export const fileHeaders = ['Content-Disposition', 'Content-Type', 'ETag', 'Last-Modified', 'Accept-Ranges']
