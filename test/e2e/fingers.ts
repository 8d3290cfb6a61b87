/** Touches a page with real fingers: the page cannot capture touches that a script makes. */
import type { Page } from 'playwright-core'

export interface Spot {
  x: number
  y: number
}

/** Puts fingers on the screen, moves them, and lifts them. */
export async function touchScreen(page: Page) {
  const client = await page.context().newCDPSession(page)
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: Spot[]) =>
    client.send('Input.dispatchTouchEvent', { type, touchPoints })
  return {
    down: (...spots: Spot[]) => send('touchStart', spots),
    move: (...spots: Spot[]) => send('touchMove', spots),
    /** Lifts all fingers. */
    up: () => send('touchEnd', []),
  }
}

/** Draws one finger from a spot to another, in steps as a screen reports them. */
export async function swipe(page: Page, from: Spot, to: Spot): Promise<void> {
  const screen = await touchScreen(page)
  await screen.down(from)
  for (const part of [0.25, 0.5, 0.75, 1]) {
    await screen.move({ x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part })
  }
  await screen.up()
}

/** Taps a spot twice, faster than separate calls are on a busy machine. */
export async function tapTwice(page: Page, spot: Spot): Promise<void> {
  const screen = await touchScreen(page)
  await Promise.all([screen.down(spot), screen.up(), screen.down(spot), screen.up()])
}
