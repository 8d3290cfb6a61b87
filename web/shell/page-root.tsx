/** The root of every page, signed in or not: its screen, and toasts. */
import { Outlet } from '@tanstack/react-router'
import { patiently } from '../lib/server/lazy-part.ts'
import { log } from '../lib/server/log-failure.ts'
import { createLazyPart } from '../ui/lazy-part.tsx'

const load = () => import('../ui/toasts.tsx')

/** If the code of toasts fails to load, the page works without them. */
function goWithout(error: unknown) {
  log('Toasts cannot be shown', error)
  return { Toasts: () => null }
}

const Toasts = createLazyPart(load, 'Toasts', undefined, () => patiently(load)().catch(goWithout))

export function PageRoot() {
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  )
}
