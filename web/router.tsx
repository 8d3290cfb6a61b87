/** Which address shows which screen, and who may see it. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  redirect,
} from '@tanstack/react-router'
import { ApiError } from '../src/api/client.ts'
import { useAuth } from './lib/auth-store.ts'
import { basePath } from './lib/config.ts'
import { folderQuery } from './lib/folders.ts'
import { queryClient } from './lib/query-client.ts'
import { rememberedFolder, rememberFolder } from './lib/remembered-folder.ts'
import { useSorting } from './lib/sorting.ts'
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx'
import { AppFrame } from './shell/app-frame.tsx'
import { CrashScreen } from './shell/crash-screen.tsx'

const root = createRootRoute()

interface LoginSearch {
  /** Where to go after signing in; a path of this product. */
  next?: string
}

/** Whether a text is a path of this server: browsers take some that begin with a slash for another host. */
const isOwnPath = (text: string): boolean =>
  text.startsWith('/') &&
  URL.canParse(text, location.origin) &&
  new URL(text, location.origin).origin === location.origin

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: ({ next }: Record<string, unknown>): LoginSearch =>
    // An explicit undefined: without it the router would keep what the address says.
    ({ next: typeof next === 'string' && isOwnPath(next) ? next : undefined }),
  beforeLoad: ({ search }) => {
    if (useAuth.getState().isAuthenticated) throw redirect({ href: search.next ?? '/', replace: true })
  },
  component: SignInScreen,
})

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: ({ location }) => {
    const { user, isAuthenticated } = useAuth.getState()
    const next = location.href === '/' ? undefined : location.href
    if (!isAuthenticated) throw redirect({ to: '/login', search: { next }, replace: true })
    if (user?.must_change_password === true && location.pathname !== '/account') {
      throw redirect({ to: '/account', replace: true })
    }
  },
  component: AppFrame,
})

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: async () => {
    const folderId = rememberedFolder()
    if (folderId === null || !(await folderExists(folderId)))
      throw redirect({ to: '/files/{-$folderId}', replace: true })
    throw redirect({ to: '/files/{-$folderId}', params: { folderId: String(folderId) }, replace: true })
  },
})

/** Whether a remembered folder can still be shown: it may be gone, or another user's. */
async function folderExists(folderId: number): Promise<boolean> {
  try {
    await queryClient.fetchInfiniteQuery(folderQuery(folderId, useSorting.getState()))
    return true
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) return true
    rememberFolder(null)
    return false
  }
}

const fallback = lazyRouteComponent(() => import('./screens/fallback/fallback-screen.tsx'), 'FallbackScreen')

const files = createRoute({
  getParentRoute: () => app,
  path: '/files/{-$folderId}',
  beforeLoad: ({ params }) => {
    if (params.folderId !== undefined && !/^[1-9]\d{0,15}$/.test(params.folderId)) throw notFound()
  },
  component: lazyRouteComponent(() => import('./screens/files/files-screen.tsx'), 'FilesScreen'),
  notFoundComponent: fallback,
})

const trash = createRoute({
  getParentRoute: () => app,
  path: '/trash',
  component: lazyRouteComponent(() => import('./screens/trash/trash-screen.tsx'), 'TrashScreen'),
})

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  component: lazyRouteComponent(() => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
})

const unknown = createRoute({ getParentRoute: () => app, path: '$', component: fallback })

export const router = createRouter({
  routeTree: root.addChildren([login, app.addChildren([home, files, trash, account, unknown])]),
  basepath: basePath,
  defaultErrorComponent: CrashScreen,
})

// Signing in and out, and a session that ends in mid-work, all show here: the guards then decide anew.
useAuth.subscribe((now, before) => {
  if (now.isAuthenticated !== before.isAuthenticated) void router.invalidate()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
