/** A ref that scrolls what has opened into view, as far as that is needed. */
export const intoView = (element: HTMLElement | null): void => element?.scrollIntoView({ block: 'nearest' })
