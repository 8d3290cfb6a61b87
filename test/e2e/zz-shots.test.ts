import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, test } from 'vitest'
import { updateProfile } from '../../src/api/auth.ts'
import { type BuiltUser, buildField, buildFile, buildFolder, buildUser, turnSettings } from '../support/factories.ts'
import { drawImage } from '../support/images.ts'
import { drawPdf } from '../support/pdfs.ts'
import { plantFiles } from '../support/planted.ts'
import { openSite, server } from './site.ts'
import { largeFile, slowDown } from './uploading.ts'
import { button } from './viewer.ts'
import { buildLinkPath, visit } from './visitor.ts'

openSite({ maxFileSize: '4MB' })
const out = '/tmp/visit-shots'
mkdirSync(out, { recursive: true })
let anna: BuiltUser
let admin: BuiltUser
const paths: Record<string, string> = {}
const long =
  'Protokoll der außerordentlichen Mitgliederversammlung vom 14. November 2026 mit allen Anlagen und Nachträgen (endgültige Fassung, unterschrieben).docx'
beforeAll(async () => {
  anna = await buildUser(server)
  admin = await buildUser(server, { role: 'admin' })
  await anna.call(updateProfile, { full_name: 'Anna Meier' })
  const folder = await buildFolder(anna, 'Trip to the mountains')
  for (const name of ['Thursday', 'Friday and the long way home', 'Maps']) await buildFolder(anna, name, folder.id)
  const deep1 = await buildFolder(anna, 'Weekend', folder.id)
  const deep2 = await buildFolder(anna, 'Second day of the weekend', deep1.id)
  const deep3 = await buildFolder(anna, 'In the afternoon', deep2.id)
  await buildFile(anna, { name: 'inside.txt', parent_id: deep3.id }, 'x')
  const colours = ['#3070c0', '#c07030', '#30a070', '#9040a0', '#c0a030', '#406080']
  for (const [i, c] of colours.entries()) {
    const { r, g, b } = {
      r: parseInt(c.slice(1, 3), 16),
      g: parseInt(c.slice(3, 5), 16),
      b: parseInt(c.slice(5, 7), 16),
    }
    await buildFile(
      anna,
      { name: `IMG_20${i}.jpg`, parent_id: folder.id },
      await drawImage(800, 600, { r, g, b } as never, { r: 255 - r, g, b } as never).as('jpeg'),
    )
  }
  await buildFile(anna, { name: long, parent_id: folder.id }, 'x'.repeat(40000))
  await buildFile(anna, { name: 'Packing list.txt', parent_id: folder.id }, 'tent\nrope\nfood\n')
  await buildFile(anna, { name: 'Timetable.pdf', parent_id: folder.id }, drawPdf({ pages: ['Timetable', 'Second'] }))
  await buildFile(anna, { name: 'Track.zip', parent_id: folder.id }, 'x'.repeat(900000))
  await buildFile(anna, { name: 'Song.mp3', parent_id: folder.id }, 'x'.repeat(90000))
  paths.folder = await buildLinkPath(anna, folder, { expires_at: '2099-05-04T10:00:00Z' })
  paths.deep = `${paths.folder}?folder=${deep3.id}`
  paths.both = await buildLinkPath(anna, folder, { level: 'both', ask_name: true })
  paths.limited = await buildLinkPath(anna, folder, { max_downloads: 3 })
  const many = await buildFolder(anna, 'Scans of the archive')
  await plantFiles(server, anna, many.id, 1200)
  paths.many = await buildLinkPath(anna, many)
  paths.empty = await buildLinkPath(anna, await buildFolder(anna, 'Nothing here'))
  const text = await buildFile(anna, { name: long.replace('docx', 'txt') }, 'one\ntwo\nthree\n'.repeat(30))
  paths.text = await buildLinkPath(anna, text, { expires_at: '2099-05-04T10:00:00Z' })
  const pic = await buildFile(anna, { name: 'Summit.jpg' }, await drawImage(1600, 1000).as('jpeg'))
  paths.picture = await buildLinkPath(anna, pic)
  const pdf = await buildFile(anna, { name: 'Timetable.pdf' }, drawPdf({ pages: ['Timetable', 'Second'] }))
  paths.pdf = await buildLinkPath(anna, pdf)
  const zip = await buildFile(anna, { name: 'Track.zip' }, 'x'.repeat(90000))
  paths.zip = await buildLinkPath(anna, zip)
  paths.limitedfile = await buildLinkPath(anna, zip, { max_downloads: 3 })
  paths.locked = await buildLinkPath(anna, zip, { password: 'correct horse' })
  const drop = await buildFolder(anna, 'Essays, class 10b')
  paths.drop = await buildLinkPath(anna, drop, { level: 'upload' })
  paths.ask = await buildLinkPath(anna, drop, { level: 'upload', ask_name: true, expires_at: '2099-05-04T10:00:00Z' })
  paths.dead = '/s/aaaaaaaaaaaaaaaaaaaaaa'
}, 120000)

const sizes = { d: { width: 1280, height: 800 }, p: { width: 390, height: 844 }, n: { width: 320, height: 640 } }
async function each(
  name: string,
  path: string | undefined,
  act?: (page: Page, size: string) => Promise<void>,
  only = ['d', 'p', 'n'],
) {
  for (const size of only) {
    const viewport = sizes[size as 'd']
    const { page, offences } = await visit(path ?? '', {
      viewport,
      ...(size !== 'd' && { hasTouch: true, isMobile: true }),
    })
    await page.waitForLoadState('networkidle')
    await act?.(page, size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(250)
      await page.screenshot({ path: `${out}/${name}-${size}-${colorScheme}.png` })
    }
    if (offences.length) console.log(name, size, offences)
    await page.context().close()
  }
}
test('shots', async () => {
  for (const name of [
    'folder',
    'deep',
    'limited',
    'many',
    'empty',
    'text',
    'picture',
    'pdf',
    'zip',
    'limitedfile',
    'locked',
    'drop',
    'dead',
  ])
    await each(name, paths[name])
  await each('grid', paths.folder, page => button(page, 'Grid view').click())
  await each('selected', paths.folder, async page => {
    await page.getByRole('checkbox', { name: 'Select Maps' }).click()
    await page.getByRole('checkbox', { name: 'Select IMG_201.jpg' }).click()
  })
  await each('preview', paths.folder, async page => {
    await page.getByRole('link', { name: 'IMG_201.jpg' }).click()
    await page.getByRole('dialog').waitFor()
    await page.waitForTimeout(500)
  })
  await each('wrong', paths.locked, async page => {
    await page.getByLabel('Password', { exact: true }).fill('x')
    await page.keyboard.press('Enter')
    await page.getByText('Wrong password').waitFor()
  })
  await turnSettings(admin, { metadata_enabled: true })
  await buildField(admin, {
    label: 'Course',
    is_required: true,
    description: 'As in your timetable',
    field_type: 'select',
    options: ['History', 'Maths'],
  })
  await buildField(admin, { label: 'I wrote this myself', is_required: true, field_type: 'checkbox' })
  const fill = async (page: Page) => {
    await page.getByLabel('Your name').fill('Ben Ott')
    await page.getByLabel('Course').selectOption('History')
    await page.getByLabel('I wrote this myself').click()
    const chooser = page.waitForEvent('filechooser')
    await button(page, 'Choose files').click()
    await (await chooser).setFiles([
      largeFile(long, 3000000),
      largeFile('Photo.jpg', 200000),
      largeFile('Huge.mp4', 5000000),
    ])
    await page.getByText('Huge.mp4').waitFor()
  }
  await each('ask', paths.ask)
  await each('asked', paths.ask, async page => {
    await page.getByRole('button', { name: /^Send/ }).click()
  })
  await each('filled', paths.ask, fill)
  await each('sending', paths.ask, async page => {
    await fill(page)
    await slowDown(page, 100000)
    await page.getByRole('button', { name: /^Send/ }).click()
    await page.waitForTimeout(3000)
  })
  await each('report', paths.ask, async page => {
    await fill(page)
    await page.getByRole('button', { name: /^Send/ }).click()
    await page.getByRole('heading', { level: 2 }).waitFor()
  })
  await each('thanks', paths.both, async page => {
    await page.getByRole('button', { name: /^Upload/ }).click()
    await fill(page)
    await button(page, 'Remove Huge.mp4').click()
    await page.getByRole('button', { name: /^Send/ }).click()
    await page.getByRole('heading', { level: 2 }).waitFor()
  })
  await each('both', paths.both)
}, 600000)
