/** Tells a file that cannot be read from a broken connection: browsers report both alike. */

/** Reads the beginning of a file. Returns the error to show, or null if the file can be read. */
export async function findUnreadable(file: File): Promise<Error | null> {
  try {
    await file.slice(0, 1).arrayBuffer()
    return null
  } catch (cause) {
    return new Error('The file cannot be read: it was changed, moved or deleted, or it is a folder', { cause })
  }
}
