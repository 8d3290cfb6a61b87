/** The items of a list for tests: which show the focus ring, and a click beside them all. */
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** The row or card of an item. */
export const itemOf = (page: Page, name: string): Locator =>
  page.getByRole('grid').locator(`[data-index][aria-label="${name}"]`)

const ringed = (page: Page): Promise<(string | null)[]> =>
  page
    .getByRole('grid')
    .locator('[data-index]')
    .evaluateAll(items =>
      items
        .filter(item => getComputedStyle(item).outlineStyle === 'solid')
        .map(item => item.getAttribute('aria-label')),
    )

/** Waits until exactly these items show the ring. */
export const rings = (page: Page, ...expected: string[]) => expect.poll(() => ringed(page)).toEqual(expected)

/** Clicks near the bottom of the list, below its last item. */
export async function clickBlank(page: Page): Promise<void> {
  const box = await page.getByRole('grid').getByRole('rowgroup').boundingBox()
  if (box === null) throw new Error('no list')
  await page.mouse.click(box.x + box.width / 2, box.y + box.height - 20)
}
