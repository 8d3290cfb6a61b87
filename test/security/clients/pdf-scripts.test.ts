/** PDFs with scripts and links in every place that PDF allows, in the viewer of the app. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { listFiles } from '../../../src/api/files.ts'
import { enter } from '../../e2e/browser.ts'
import { browser, openSite, server } from '../../e2e/site.ts'
import { buildFile, buildFolder, buildUser } from '../../support/factories.ts'

openSite()

/** A script that would leave a trace in the page. */
const script = "globalThis.hit = 1; top.hit = 1; window.hit = 1; app.alert('hit')"
const spy = 'http://localhost:9/spy'

/** A PDF without a cross-reference table, so that every reader searches for the objects. */
function drawPdf(objects: Record<number, string>): string {
  const text = Object.entries(objects).map(([number, object]) => `${number} 0 obj\n${object}\nendobj\n`)
  return `%PDF-1.7\n${text.join('')}trailer\n<</Root 1 0 R>>\n%%EOF`
}

const stream = (text: string, head = '') => `<<${head}/Length ${text.length}>>stream\n${text}\nendstream`
const act = `<</S/JavaScript/JS(${script.replace(/[()]/g, '\\$&')})>>`
const toSpy = [
  `<</S/URI/URI(${spy}/uri)>>`,
  `<</S/GoToR/F(${spy}/gotor)/D[0/Fit]>>`,
  `<</S/Launch/F(${spy}/launch)>>`,
  `<</S/SubmitForm/F<</FS/URL/F(${spy}/submit)>>>>`,
  `<</S/ImportData/F(${spy}/import)>>`,
]
const scriptUri = `<</S/URI/URI(javascript:${script.replace(/[()]/g, '\\$&')})>>`

const documents: Record<string, string> = {
  // A font matrix with code, which pdf.js once compiled (CVE-2024-4367).
  'matrix.pdf': drawPdf({
    1: '<</Type/Catalog/Pages 2 0 R>>',
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Resources<</Font<</F1 4 0 R>>>>/Contents 5 0 R>>',
    4: '<</Type/Font/Subtype/Type1/BaseFont/SNCSTG+CMBX12/FirstChar 65/LastChar 90/FontDescriptor 6 0 R/Widths[600]/FontMatrix[1 2 3 4 5 (1\\); window.hit = 1; globalThis.hit = 1; \\(0)]>>',
    5: stream('BT /F1 24 Tf 20 40 Td (A PAGE) Tj ET'),
    6: '<</Type/FontDescriptor/FontName/SNCSTG+CMBX12/Flags 4/FontBBox[-53 -251 1139 750]/ItalicAngle 0/Ascent 694/Descent -194/CapHeight 686/StemV 109>>',
  }),
  // Actions on opening, closing, every page and form field, and links with scripts.
  'actions.pdf': drawPdf({
    1: `<</Type/Catalog/Pages 2 0 R/OpenAction ${act}/AA<</WC ${act}/WS ${act}/DP ${act}>>/Names<</JavaScript<</Names[(a)${act}]>>>>/AcroForm<</Fields[7 0 R]/CO[7 0 R]/XFA 8 0 R>>>>`,
    2: '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Resources<</Font<</F1 4 0 R>>/XObject<</X 9 0 R>>>>/Contents 5 0 R/AA<</O ${act}/C ${act}>>/Annots[7 0 R ${toSpy
      .map((action, index) => `<</Type/Annot/Subtype/Link/Rect[${index * 40} 0 ${index * 40 + 30} 30]/A ${action}>>`)
      .join(
        ' ',
      )} <</Type/Annot/Subtype/Link/Rect[200 0 290 30]/A ${scriptUri}>> <</Type/Annot/Subtype/Screen/Rect[0 60 9 69]/AA<</PO ${act}/PV ${act}/E ${act}>>>>]>>`,
    4: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    5: stream('/X Do BT /F1 24 Tf 20 40 Td (A PAGE) Tj ET'),
    7: `<</Type/Annot/Subtype/Widget/FT/Tx/T(field)/V(value)/Rect[0 70 90 90]/AA<</K ${act}/F ${act}/V ${act}/C ${act}/E ${act}/Fo ${act}/Bl ${act}>>/A ${act}>>`,
    8: stream(
      `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="a"><event activity="initialize"><script contentType="application/x-javascript">${script}</script></event><field name="b"><ui><textEdit/></ui><value><exData contentType="text/html"><body xmlns="http://www.w3.org/1999/xhtml"><a href="javascript:${script}">x</a><img src="${spy}/xfa"/></body></exData></value></field></subform></template></xdp:xdp>`,
    ),
    9: `<</Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/F<</FS/URL/F(${spy}/image)>>/Length 0>>stream\n\nendstream`,
  }),
}

test('a PDF runs no script, requests nothing from other hosts, and has no script link', async () => {
  const user = await buildUser(server)
  const folder = await buildFolder(user)
  for (const [name, bytes] of Object.entries(documents)) await buildFile(user, { name, parent_id: folder.id }, bytes)
  const { files } = await user.call(listFiles, { parent_id: folder.id })
  const { page, offences } = await browser.open()
  const elsewhere: string[] = []
  const dialogs: string[] = []
  // The context also reports requests of the worker.
  page.context().on('request', request => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(server.url)) elsewhere.push(request.url())
  })
  page.on('dialog', async shown => {
    dialogs.push(shown.message())
    await shown.dismiss()
  })
  const opened = enter(page, user, `/view/${files[0]?.id}`)
  const workers: Promise<unknown>[] = []
  page.on('worker', worker => workers.push(worker.evaluate('globalThis.hit').catch(() => undefined)))
  await opened
  for (const { id } of files) {
    await page.goto(`/view/${id}`)
    await page.locator('.textLayer').getByText('A PAGE').waitFor()
    await page.waitForLoadState('networkidle')
    expect(await page.evaluate('window.hit')).toBeUndefined()
    const links = await page
      .locator('.annotationLayer a')
      .evaluateAll(all => all.map(link => link.getAttribute('href')))
    for (const href of links) expect(href ?? '#').toMatch(/^(https?:|mailto:|#|$)/)
    for (const found of await Promise.all(page.workers().map(worker => worker.evaluate('globalThis.hit')))) {
      expect(found).toBeUndefined()
    }
  }
  expect(await Promise.all(workers)).not.toContain(1)
  expect({ elsewhere, dialogs, offences }).toEqual({ elsewhere: [], dialogs: [], offences: [] })
})

test('pdf.js is a version that compiles no fonts, and the policy forbids page and worker to compile text', async () => {
  const { version } = JSON.parse(
    readFileSync(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'), 'utf8'),
  )
  // pdf.js 4.2.67 fixed CVE-2024-4367.
  expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(5)
  const { page } = await browser.open()
  const policy = (await page.goto('/'))?.headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/script-src 'self' 'wasm-unsafe-eval';/)
  expect(policy).not.toContain("'unsafe-eval'")
  expect(policy).not.toContain("'unsafe-inline'")
  // The driver's own code may compile text, so run the test's code in a timer, where the policy applies.
  const hit = page.evaluate("setTimeout('window.hit = 1'); new Promise(done => setTimeout(() => done(window.hit)))")
  expect(await hit).toBeUndefined()
})
