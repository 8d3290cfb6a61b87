/** What axe finds wrong with a page, in one line each. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * Everything that is open on the page, dialogs and menus included; what is fading in is waited for. `rules` looks for
 * these alone.
 */
export async function findBarriers(page: Page, rules: string[] = []): Promise<string[]> {
  // Text on its way in, or from one theme to the other, would be told as text without contrast.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    await Promise.allSettled(document.getAnimations().map(animation => animation.finished))
  })
  // Legacy: without a blank page of its own for frames, which the product has none of; twice as fast.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

/** The rules about titles, landmarks and names, which cost a small part of all of them. */
const nameRules = [
  ...['document-title', 'html-has-lang', 'landmark-one-main', 'page-has-heading-one', 'heading-order', 'region'],
  ...['button-name', 'link-name', 'label', 'select-name', 'image-alt', 'svg-img-alt', 'input-button-name'],
  ...[
    'aria-command-name',
    'aria-dialog-name',
    'aria-input-field-name',
    'aria-progressbar-name',
    'aria-toggle-field-name',
  ],
  'duplicate-id-aria',
]

/** What has no name, or no place in the page's outline. */
export const findNameless = (page: Page): Promise<string[]> => findBarriers(page, nameRules)

/** The same in both themes of a page that follows the system; the second time only what colours can break. */
export async function findBarriersInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
  const light = await findBarriers(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  return [...light, ...(await findBarriers(page, ['color-contrast'])).map(barrier => `dark ${barrier}`)]
}
