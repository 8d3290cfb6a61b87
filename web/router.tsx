/** The routes: which address shows which screen, and who may see it. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type RouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { Permission } from '../src/api/permissions.ts'
import { readLargest } from './lib/data/largest-search.ts'
import { readSearch } from './lib/data/search.ts'
import { readTrash } from './lib/data/trash-search.ts'
import { readNext } from './lib/local/next-path.ts'
import { readPreview } from './lib/local/preview.ts'
import { useAuth } from './lib/server/auth-store.ts'
import { basePath } from './lib/server/config.ts'
import { patiently } from './lib/server/lazy-part.ts'
import { FilesFrame } from './screens/files/files-frame.tsx'
import { FilesScreen } from './screens/files/files-screen.tsx'
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx'
import { AppFrame } from './shell/app-frame.tsx'
import { CrashScreen } from './shell/crash-screen.tsx'
import { PageRoot } from './shell/page-root.tsx'
import { redirectHome } from './shell/redirect-home.ts'
import { maySee } from './shell/sections.ts'

const root = createRootRoute({ validateSearch: readPreview, component: PageRoot })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: readNext,
  beforeLoad: ({ search }) => {
    if (useAuth.getState().isAuthenticated) throw redirect({ href: search.next ?? '/', replace: true })
  },
  component: SignInScreen,
})

const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  beforeLoad: ({ location }) => {
    const { user } = useAuth.getState()
    const next = location.href === '/' ? undefined : location.href
    if (user === null) throw redirect({ to: '/login', search: { next }, replace: true })
    if (user.must_change_password && location.pathname !== '/account') {
      throw redirect({ to: '/account', search: { next }, replace: true })
    }
  },
  component: AppFrame,
})

const home = createRoute({ getParentRoute: () => app, path: '/', beforeLoad: redirectHome })

/** A screen whose code loads on first use. */
const screen = <Name extends string>(load: () => Promise<{ [name in Name]: RouteComponent }>, name: Name) =>
  lazyRouteComponent(patiently(load), name)

/** The tabs of what is shared, and the permission that each needs. */
const sharedTabs: Record<string, Permission> = { 'by-me': 'files:share', links: 'files:link' }

const maySeeShared = (tab = ''): boolean => {
  const needed = sharedTabs[tab]
  return tab === '' || (needed !== undefined && useAuth.getState().user?.permissions.includes(needed) === true)
}

const fallback = screen(() => import('./screens/fallback/fallback-screen.tsx'), 'FallbackScreen')

/** Users who may not see a section get the "not found" page. */
const ofSection = (to: Parameters<typeof maySee>[0]) => ({
  beforeLoad: () => {
    if (!maySee(to)) throw notFound()
  },
  notFoundComponent: fallback,
})

/** Folder tree and sheet stand side by side. The tree stays mounted from folder to folder and during a search. */
const browser = createRoute({
  getParentRoute: () => app,
  id: 'browser',
  component: FilesFrame,
})

const files = createRoute({
  getParentRoute: () => browser,
  path: '/files/{-$folderId}',
  beforeLoad: ({ params }) => {
    if (params.folderId !== undefined && !/^[1-9]\d{0,15}$/.test(params.folderId)) throw notFound()
  },
  component: FilesScreen,
  notFoundComponent: fallback,
})

const search = createRoute({
  getParentRoute: () => browser,
  path: '/search',
  validateSearch: readSearch,
  component: screen(() => import('./screens/search/search-screen.tsx'), 'SearchScreen'),
})

const view = createRoute({
  getParentRoute: () => app,
  path: '/view/$fileId',
  staticData: { fillsWindow: true },
  component: screen(() => import('./screens/view/view-screen.tsx'), 'ViewScreen'),
})

const teamFolders = createRoute({
  getParentRoute: () => app,
  path: '/team-folders',
  ...ofSection('/team-folders'),
  component: screen(() => import('./screens/team-folders/team-folders-screen.tsx'), 'TeamFoldersScreen'),
})

const shared = createRoute({
  getParentRoute: () => app,
  path: '/shared/{-$tab}',
  beforeLoad: ({ params }) => {
    if (!maySeeShared(params.tab) || !maySee('/shared/{-$tab}')) throw notFound()
  },
  component: screen(() => import('./screens/shared/shared-screen.tsx'), 'SharedScreen'),
  notFoundComponent: fallback,
})

const favorites = createRoute({
  getParentRoute: () => app,
  path: '/favorites',
  ...ofSection('/favorites'),
  component: screen(() => import('./screens/favorites/favorites-screen.tsx'), 'FavoritesScreen'),
})

const recent = createRoute({
  getParentRoute: () => app,
  path: '/recent',
  ...ofSection('/recent'),
  component: screen(() => import('./screens/recent/recent-screen.tsx'), 'RecentScreen'),
})

const trash = createRoute({
  getParentRoute: () => app,
  path: '/trash',
  validateSearch: readTrash,
  ...ofSection('/trash'),
  component: screen(() => import('./screens/trash/trash-screen.tsx'), 'TrashScreen'),
})

const overview = createRoute({
  getParentRoute: () => app,
  path: '/overview',
  ...ofSection('/overview'),
  component: screen(() => import('./screens/overview/overview-screen.tsx'), 'OverviewScreen'),
})

const largest = createRoute({
  getParentRoute: () => app,
  path: '/overview/largest',
  validateSearch: readLargest,
  ...ofSection('/overview'),
  component: screen(() => import('./screens/largest/largest-screen.tsx'), 'LargestScreen'),
})

const apiKeys = createRoute({
  getParentRoute: () => app,
  path: '/api-keys/{-$tab}',
  beforeLoad: ({ params }) => {
    const isTab = params.tab === undefined || params.tab === 'documentation'
    if (!isTab || !maySee('/api-keys/{-$tab}')) throw notFound()
  },
  component: screen(() => import('./screens/api-keys/api-keys-screen.tsx'), 'ApiKeysScreen'),
  notFoundComponent: fallback,
})

const tags = createRoute({
  getParentRoute: () => app,
  path: '/tags',
  ...ofSection('/tags'),
  component: screen(() => import('./screens/tags/tags-screen.tsx'), 'TagsScreen'),
})

const settings = createRoute({
  getParentRoute: () => app,
  path: '/settings/{-$tab}',
  component: screen(() => import('./screens/settings/settings-screen.tsx'), 'SettingsScreen'),
})

const validation = createRoute({
  getParentRoute: () => app,
  path: '/validation',
  ...ofSection('/validation'),
  component: screen(() => import('./screens/validation/validation-screen.tsx'), 'ValidationScreen'),
})

const account = createRoute({
  getParentRoute: () => app,
  path: '/account',
  validateSearch: readNext,
  component: screen(() => import('./screens/account/account-screen.tsx'), 'AccountScreen'),
})

const unknown = createRoute({ getParentRoute: () => app, path: '$', component: fallback })

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    app.addChildren([
      home,
      browser.addChildren([files, search]),
      view,
      teamFolders,
      shared,
      favorites,
      recent,
      trash,
      overview,
      largest,
      apiKeys,
      tags,
      settings,
      validation,
      account,
      unknown,
    ]),
  ]),
  basepath: basePath,
  defaultErrorComponent: CrashScreen,
  defaultPreload: 'intent',
})

// Re-run the guards when somebody signs in or out. An expired session leaves the page as it is.
useAuth.subscribe((now, before) => {
  if (now.user?.id !== before.user?.id) void router.invalidate()
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
