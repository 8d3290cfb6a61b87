/**
 * Whether the user last used a touch screen, by finger or pen. The root element says so too, for the styles: after a
 * touch they draw no focus ring.
 */
const root = document.documentElement
const mark = 'data-touch'

addEventListener('pointerdown', ({ pointerType }) => root.toggleAttribute(mark, pointerType !== 'mouse'), true)

export const isTouch = (): boolean => root.hasAttribute(mark)

/** Shows the focus ring again, after a key. */
export const endTouch = (): void => root.removeAttribute(mark)
