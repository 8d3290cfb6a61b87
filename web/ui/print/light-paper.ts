/** Prints in the light scheme, whichever the screen has. */
const root = document.documentElement
const scheme = 'data-mantine-color-scheme'

let onScreen: string | null = null

addEventListener('beforeprint', () => {
  onScreen ??= root.getAttribute(scheme)
  root.setAttribute(scheme, 'light')
})

addEventListener('afterprint', () => {
  if (onScreen !== null) root.setAttribute(scheme, onScreen)
  onScreen = null
})

export {}
