/** Keyboard and mouse inputs to the page, and the time from each to the next frame. */
import type { Locator, Page } from 'playwright-core'
import type { Folders } from './page.ts'

/** The browser does not report inputs faster than this (ms); each counts as this long. */
const threshold = 16

/** Collects the longest event of each interaction, by the browser's interaction id. */
const observe = `globalThis.interactions = new Map();
{
  const take = entries => {
    for (const { interactionId, duration } of entries) {
      if (interactionId) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
    }
  }
  new PerformanceObserver(list => take(list.getEntries())).observe({ type: 'event', durationThreshold: ${threshold} })
}`

/** Milliseconds from each input of `act` to the next frame; `act` returns how many inputs it made. */
async function watchInputs(page: Page, act: () => Promise<number>): Promise<number[]> {
  await page.evaluate(observe)
  const count = await act()
  // The browser reports an event some time after its frame.
  await page.waitForTimeout(500)
  const reported = await page.evaluate<number[]>('[...interactions.values()]')
  return [...reported, ...Array.from({ length: Math.max(0, count - reported.length) }, () => threshold)]
}

const openFolder = async (page: Page, id: number): Promise<void> => {
  await page.goto(`/files/${id}`)
  await page.getByRole('row', { name: 'Project 0', exact: true }).waitFor()
  await page.waitForLoadState('networkidle')
}

export async function press(page: Page, keys: readonly string[], pause: number): Promise<number> {
  for (const key of keys) {
    await page.keyboard.press(key)
    await page.waitForTimeout(pause)
  }
  return keys.length
}

const repeat = (key: string, times: number): string[] => Array.from({ length: times }, () => key)

/** The baseline of browser and machine: letters typed into a page with only a field. */
export async function typeIntoNothing(page: Page, isQuick: boolean): Promise<number[]> {
  await page.goto('/healthz')
  await page.setContent('<input autofocus>')
  await page.locator('input').focus()
  return watchInputs(page, () => press(page, repeat('a', isQuick ? 10 : 60), 60))
}

/** Types words letter by letter; the results of the first letters arrive while the next are typed. */
async function search(page: Page, { huge }: Folders, isQuick: boolean): Promise<number[]> {
  await openFolder(page, huge)
  return watchInputs(page, async () => {
    await page.keyboard.press('/')
    let count = 1
    for (const word of isQuick ? ['report'] : ['report', 'project', 'of the year', 'report 12']) {
      count += await press(page, [...word.slice(0, 3)], 120)
      // Wait until just after the pause that starts the search.
      await page.waitForTimeout(420)
      count += await press(page, [...word.slice(3)], 120)
      await page.waitForTimeout(800)
      count += await press(page, repeat('Backspace', word.length), 60)
      await page.waitForTimeout(800)
    }
    return count
  })
}

/** Moves and selects by keys: rows, pages and ranges. */
async function walk(page: Page, { huge }: Folders, isQuick: boolean): Promise<number[]> {
  await openFolder(page, huge)
  const times = isQuick ? 5 : 20
  const keys = [
    ...repeat('ArrowDown', times),
    ...repeat('PageDown', times),
    ...repeat('Shift+ArrowDown', times),
    'Escape',
    ...repeat('Control+ ', 2),
    ...repeat('ArrowUp', times),
  ]
  return watchInputs(page, () => press(page, keys, 50))
}

/** The same with all rows loaded and selected. */
async function walkSelected(page: Page, { huge }: Folders, isQuick: boolean): Promise<number[]> {
  await openFolder(page, huge)
  await page.keyboard.press('Control+a')
  await page.getByRole('toolbar', { name: 'Selection' }).getByText('selected').waitFor({ timeout: 120_000 })
  await page.waitForLoadState('networkidle')
  const times = isQuick ? 5 : 20
  const keys = [...repeat('ArrowDown', times), ...repeat('Control+ ', times), ...repeat('Shift+ArrowDown', times)]
  return watchInputs(page, () => press(page, keys, 100))
}

/** Opens and closes menus and dialogs, without checks that would add their own time. */
async function open(page: Page, { huge }: Folders, isQuick: boolean): Promise<number[]> {
  await openFolder(page, huge)
  const row = page.locator('[role="row"][data-index="2"]')
  await row.hover()
  const middleOf = async (part: Locator) => {
    const box = await part.boundingBox()
    if (box === null) throw new Error('not on the page')
    return [box.x + box.width / 2, box.y + box.height / 2] as const
  }
  const name = await middleOf(row)
  const more = await middleOf(row.getByRole('button', { name: 'More actions' }))
  const newFolder = await middleOf(page.getByRole('button', { name: 'New Folder' }))
  return watchInputs(page, async () => {
    let count = 0
    for (let round = 0; round < (isQuick ? 1 : 5); round++) {
      for (const act of [
        () => page.mouse.click(...name, { button: 'right' }),
        () => page.mouse.click(...more),
        () => page.mouse.click(...newFolder),
        () => page.keyboard.press('m'),
        () => page.keyboard.press('?'),
      ]) {
        await act()
        await page.waitForTimeout(600)
        await page.keyboard.press('Escape')
        await page.waitForTimeout(600)
        count += 2
      }
    }
    return count
  })
}

export const inputs = [
  { name: 'keys in the search box', sample: search },
  { name: 'keys in a list', sample: walk },
  { name: 'keys in a list, all of it selected', sample: walkSelected },
  { name: 'menus and dialogs', sample: open },
]
