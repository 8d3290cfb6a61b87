/** Makes the contents of the demo's files here, because the product asks no other machine for anything. */

/** Draws a landscape in colours around a hue, as a JPEG. */
export async function drawPhoto(hue: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const sky = `<linearGradient id="sky" x2="0" y2="1"><stop stop-color="hsl(${hue + 20},50%,38%)"/><stop offset=".6" stop-color="hsl(${hue + 40},65%,76%)"/></linearGradient>`
  const ridges = [0, 1, 2, 3].map(depth => {
    const base = 560 + depth * 110
    const points = Array.from({ length: 17 }, (_, step) => {
      const height = Math.sin(step * 1.7 + depth * 2.3 + hue) * 70 + Math.sin(step * 0.6 + depth + hue) * 90
      return `L${step * 100} ${Math.round(base - height)}`
    })
    return `<path d="M0 1000 ${points.join(' ')} L1600 1000Z" fill="hsl(${hue},${24 + depth * 6}%,${46 - depth * 11}%)"/>`
  })
  const sun = `<circle cx="1120" cy="360" r="80" fill="hsl(${hue + 45},90%,90%)"/>`
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1000"><defs>${sky}</defs><rect width="1600" height="1000" fill="url(#sky)"/>${sun}${ridges.join('')}</svg>`
  return sharp(Buffer.from(svg)).jpeg({ quality: 88 }).toBuffer()
}

export const drawLogo = (): string => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 480">
  <rect width="480" height="480" rx="96" fill="#2A56D4"/>
  <path d="M96 300c60-90 84-90 144 0s84 90 144 0" fill="none" stroke="#fff" stroke-width="36" stroke-linecap="round"/>
  <circle cx="240" cy="150" r="42" fill="#BACDFF"/>
</svg>
`

/** Makes a PDF with a title and text on each page. The title may have plain letters only. */
export function drawPdf(title: string, pages: number): Buffer {
  const kids = Array.from({ length: pages }, (_, page) => `${4 + page * 2} 0 R`).join(' ')
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${pages}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ]
  for (let page = 1; page <= pages; page++) {
    const lines = Array.from(
      { length: 28 },
      (_, line) => `(${page}.${line + 1}  This line is here to be read, searched and scrolled past.) Tj T*`,
    )
    const head = `BT /F1 22 Tf 72 760 Td (${title}) Tj ET BT /F1 9 Tf 500 40 Td (Page ${page} of ${pages}) Tj ET`
    const text = `${head} BT /F1 12 Tf 20 TL 72 710 Td ${lines.join(' ')} ET`
    objects.push(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 3 0 R>>>>/Contents ${3 + page * 2} 0 R>>`,
      `<</Length ${text.length}>>stream\n${text}\nendstream`,
    )
  }
  let out = '%PDF-1.4\n'
  const offsets = objects.map((object, index) => {
    const offset = out.length
    out += `${index + 1} 0 obj${object}endobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`
  return Buffer.from(`${out}${table}trailer<</Size ${size}/Root 1 0 R>>\nstartxref\n${out.length}\n%%EOF`, 'latin1')
}

/** Returns three bells in a sound of three seconds: WAV, mono, 16 bits at 22.05 kHz. */
export function playChime(): Buffer {
  const rate = 22_050
  const samples = Buffer.alloc(rate * 3 * 2)
  for (let at = 0; at < rate * 3; at++) {
    const bells = [523.25, 659.25, 783.99].map((pitch, bell) => {
      const since = at / rate - bell * 0.6
      return since < 0 ? 0 : Math.sin(2 * Math.PI * pitch * since) * Math.exp(-2.2 * since)
    })
    samples.writeInt16LE(Math.round(bells.reduce((sum, value) => sum + value, 0) * 9_000), at * 2)
  }
  const head = Buffer.from('RIFF    WAVEfmt                     data    ', 'latin1')
  // Numbers of 32 bits by offset. Those at 20 and 32 hold two of 16 bits each: PCM and one channel, two bytes a frame
  // and 16 bits a sample.
  const bytes = samples.length
  const numbers = { 4: bytes + 36, 16: 16, 20: 0x10001, 24: rate, 28: rate * 2, 32: 0x100002, 40: bytes }
  for (const [at, value] of Object.entries(numbers)) head.writeUInt32LE(value, Number(at))
  return Buffer.concat([head, samples])
}
