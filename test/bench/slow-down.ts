/** Simulates a slower machine. */
import type { Page } from 'playwright-core'

/** Makes the page's own work take `rate` times as long. */
export async function slowDown(page: Page, rate: number): Promise<void> {
  const devTools = await page.context().newCDPSession(page)
  await devTools.send('Emulation.setCPUThrottlingRate', { rate })
}
