/** Lists what axe finds wrong with a page, one line for each finding. */
import axeCore, { type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

declare global {
  interface Window {
    axe?: typeof axeCore
  }
}

/** A card of the grid is named by its file alone. Its size and tags are no label that a person would say to reach it. */
const isNamedCard = (barrier: string): boolean =>
  barrier.startsWith('label-content-name-mismatch:') && barrier.includes('<div role="gridcell"')

/**
 * Checks everything that is open on the page, dialogs and menus included, after all transitions have ended. `rules`
 * limits the check to these rules.
 */
export async function findBarriers(page: Page, rules: string[] = []): Promise<string[]> {
  // Wait for the end of each transition: axe would report half-faded text as text without contrast.
  const hasAxe = await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    await Promise.allSettled(document.getAnimations().map(animation => animation.finished))
    return window.axe !== undefined
  })
  if (!hasAxe) await page.evaluate(axeCore.source)
  // The product has no frames; what passes is not reported, because collecting it takes most of the time.
  const options: RunOptions = {
    iframes: false,
    resultTypes: ['violations'],
    ...(rules.length > 0 && { runOnly: { type: 'rule', values: rules } }),
  }
  const barriers = await page.evaluate(async given => {
    if (window.axe === undefined) throw new Error('the page has no axe')
    const { violations } = await window.axe.run(document, given)
    return violations.flatMap(({ id, help, nodes }) => nodes.map(({ html }) => `${id}: ${help}: ${html}`))
  }, options)
  return barriers.filter(barrier => !isNamedCard(barrier))
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
