/** Lists what axe finds wrong with a page, one line for each finding. */
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/**
 * Checks everything that is open on the page, dialogs and menus included, after all transitions have ended. `rules`
 * limits the check to these rules.
 */
export async function findBarriers(page: Page, rules: string[] = []): Promise<string[]> {
  // Wait for the end of each transition: axe would report half-faded text as text without contrast.
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    await Promise.allSettled(document.getAnimations().map(animation => animation.finished))
  })
  // The legacy mode opens no extra page for frames. The product has no frames, and the check takes half the time.
  const axe = new AxeBuilder({ page }).setLegacyMode()
  const { violations } = await (rules.length > 0 ? axe.withRules(rules) : axe).analyze()
  return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
}

/** The rules about titles, landmarks and names. They take a small part of the time that all rules take. */
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

/** Finds elements without a name and content outside the page's landmarks. */
export const findNameless = (page: Page): Promise<string[]> => findBarriers(page, nameRules)

/**
 * Checks a page in both themes, which it takes from the system. The second check runs only the rules that colours can
 * break.
 */
export async function findBarriersInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  await page.locator('html[data-mantine-color-scheme=light]').waitFor()
  const light = await findBarriers(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.locator('html[data-mantine-color-scheme=dark]').waitFor()
  return [...light, ...(await findBarriers(page, ['color-contrast'])).map(barrier => `dark ${barrier}`)]
}
