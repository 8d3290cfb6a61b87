/**
 * Replaces iconv-lite in the bundle, because its tables are most of a megabyte. mysql2 uses it for what a MariaDB server
 * says before both sides speak UTF-8; an encoding that TextDecoder does not know is read as UTF-8 there, which garbles
 * some letters.
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
