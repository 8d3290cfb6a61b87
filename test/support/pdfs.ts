/** Writes small PDFs for tests by hand: pages of text with links, padded to any size, optionally encrypted. */
import { createHash } from 'node:crypto'

interface PdfOptions {
  /** The text of each page. */
  pages: readonly string[]
  /** The URLs of links on the first page. */
  links?: readonly string[]
  /** The number of the page, from 1, that another link on the first page leads to. */
  jump?: number
  /** The size in bytes of an unused object before the pages. */
  padding?: number
  password?: string
}

/** RC4: the only cipher that every PDF reader supports, and that current libraries no longer offer. */
function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const at = (index: number) => state[index & 255] ?? 0
  const swap = (a: number, b: number) => {
    ;[state[a], state[b]] = [at(b), at(a)]
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 255
    swap(i, j)
  }
  let [i, j] = [0, 0]
  return Buffer.from(
    data.map(byte => {
      i = (i + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}

const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest()
const filler = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')
const fileId = Buffer.alloc(16, 7)

/** ISO 32000-1 section 7.6, revision 2: the encryption dictionary, and the encryption of an object's stream. */
function protect(password: string) {
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), filler]).subarray(0, 32)
  const owner = rc4(md5(padded).subarray(0, 5), padded)
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const key = md5(padded, owner, permissions, fileId).subarray(0, 5)
  const dictionary = `<</Filter/Standard/V 1/R 2/P -4/O<${owner.toString('hex')}>/U<${rc4(key, filler).toString('hex')}>>>`
  const encrypt = (number: number, data: Buffer) =>
    rc4(md5(key, Buffer.from([number & 255, number >> 8, 0, 0, 0])).subarray(0, 10), data)
  return { dictionary, encrypt }
}

const catalogue = 1
const tree = 2
const font = 3
const paddingObject = 4
const firstPage = 5

/** Each page has two objects: the page, and its content stream. */
const pageObject = (index: number): number => firstPage + index * 2

function linksOf({ links = [], jump }: PdfOptions): string {
  const box = (index: number) => `/Rect[72 ${700 - index * 20} 300 ${716 - index * 20}]/Border[0 0 0]`
  const outer = links.map((url, index) => `<</Type/Annot/Subtype/Link${box(index)}/A<</S/URI/URI(${url})>>>>`)
  const inner =
    jump === undefined
      ? []
      : [`<</Type/Annot/Subtype/Link${box(links.length)}/Dest[${pageObject(jump - 1)} 0 R/XYZ 0 842 0]>>`]
  return `/Annots[${[...outer, ...inner].join(' ')}]`
}

/** Draws A4 pages with the text 72 points from the upper left corner. */
export function drawPdf(options: PdfOptions): Buffer {
  const { pages, padding = 0, password } = options
  const guard = password === undefined ? undefined : protect(password)
  const objects = new Map<number, Buffer>()
  const stream = (number: number, head: string, data: Buffer) => {
    const written = guard?.encrypt(number, data) ?? data
    const begin = Buffer.from(`<<${head}/Length ${written.length}>>stream\n`)
    objects.set(number, Buffer.concat([begin, written, Buffer.from('\nendstream')]))
  }
  objects.set(catalogue, Buffer.from(`<</Type/Catalog/Pages ${tree} 0 R>>`))
  const kids = pages.map((_, index) => `${pageObject(index)} 0 R`).join(' ')
  objects.set(tree, Buffer.from(`<</Type/Pages/Kids[${kids}]/Count ${pages.length}>>`))
  objects.set(font, Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>'))
  stream(paddingObject, '', Buffer.alloc(padding, 'x'))
  pages.forEach((text, index) => {
    const number = pageObject(index)
    const rest = `/Resources<</Font<</F1 ${font} 0 R>>>>/Contents ${number + 1} 0 R${index === 0 ? linksOf(options) : ''}`
    objects.set(number, Buffer.from(`<</Type/Page/Parent ${tree} 0 R/MediaBox[0 0 595 842]${rest}>>`))
    stream(number + 1, '', Buffer.from(`BT /F1 14 Tf 72 756 Td (${text}) Tj ET`, 'latin1'))
  })

  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')]
  const offsets: number[] = []
  let length = parts[0]?.length ?? 0
  const add = (part: Buffer) => {
    parts.push(part)
    length += part.length
  }
  const numbers = [...objects.keys()].sort((a, b) => a - b)
  for (const number of numbers) {
    offsets.push(length)
    add(
      Buffer.concat([Buffer.from(`${number} 0 obj`), objects.get(number) ?? Buffer.alloc(0), Buffer.from('endobj\n')]),
    )
  }
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const id = fileId.toString('hex')
  const secret = guard === undefined ? '' : `/Encrypt ${guard.dictionary}`
  const trailer = `trailer<</Size ${numbers.length + 1}/Root ${catalogue} 0 R/ID[<${id}><${id}>]${secret}>>`
  const size = numbers.length + 1
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${table}${trailer}\nstartxref\n${length}\n%%EOF`))
  return Buffer.concat(parts)
}
