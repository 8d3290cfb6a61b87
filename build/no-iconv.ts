/**
 * Stands in the bundle for iconv-lite, whose tables are most of a megabyte: raw-body asks it for text, filestore for bytes;
 * and mysql2 for what a MariaDB says before both speak UTF-8, where an encoding that nobody knows costs some letters.
 */

function openDecoder(encoding: string): { decode(bytes: Buffer): string } {
  try {
    return new TextDecoder(encoding)
  } catch {
    return { decode: bytes => bytes.toString() }
  }
}

function getDecoder(encoding: string) {
  const decoder = openDecoder(encoding)
  return { write: (bytes: Buffer) => decoder.decode(bytes), end: () => '' }
}

export { getDecoder }
