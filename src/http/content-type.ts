/** Returns the Content-Type for a file name, with its charset. */
import mime from 'mime-types'

export const contentType = (name: string): string => mime.contentType(name) || 'application/octet-stream'
