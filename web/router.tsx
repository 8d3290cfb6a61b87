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
import { ApiError } from '../src/api/client.ts'
import type { Permission } from '../src/api/permissions.ts'
import { folderQuery } from './lib/data/folders.ts'
import { readLargest } from './lib/data/largest-search.ts'
import { readSearch } from './lib/data/search.ts'
import { readTrash } from './lib/data/trash-search.ts'
import { readPreview } from './lib/local/preview.ts'
import { rememberedFolder, rememberFolder } from './lib/local/remembered-folder.ts'
import { sortingNow } from './lib/local/sorting.ts'
import { useAuth } from './lib/server/auth-store.ts'
import { basePath } from './lib/server/config.ts'
import { patiently } from './lib/server/lazy-part.ts'
import { queryClient } from './lib/server/query-client.ts'
import { FilesFrame } from './screens/files/files-frame.tsx'
import { FilesScreen } from './screens/files/files-screen.tsx'
import { SignInScreen } from './screens/sign-in/sign-in-screen.tsx'
import { AppFrame } from './shell/app-frame.tsx'
import { CrashScreen } from './shell/crash-screen.tsx'
import { PageRoot } from './shell/page-root.tsx'
import { maySee, sectionsFor } from './shell/sections.ts'

const root = createRootRoute({ validateSearch: readPreview, component: PageRoot })

interface NextSearch {
  /** Where to go after signing in, or after a required password change; a path of this product. */
  next?: string
}

/** Whether a text is a path on this server: browsers treat some that begin with a slash as another host. */
const isOwnPath = (text: string): boolean =>
  text.startsWith('/') &&
  URL.canParse(text, location.origin) &&
  new URL(text, location.origin).origin === location.origin

const readNext = ({ next }: Record<string, unknown>): NextSearch =>
  // Set undefined explicitly: without the key the router would keep the address's raw value.
  ({ next: typeof next === 'string' && isOwnPath(next) ? next : undefined })

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

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  beforeLoad: async () => {
    const [first] = sectionsFor(useAuth.getState().user?.permissions ?? [])
    if (first?.label !== 'Files') throw redirect({ to: first?.to ?? '/account', replace: true })
    const folderId = rememberedFolder()
    if (folderId === null || !(await folderExists(folderId)))
      throw redirect({ to: '/files/{-$folderId}', replace: true })
    throw redirect({ to: '/files/{-$folderId}', params: { folderId: String(folderId) }, replace: true })
  },
})

/** Whether the remembered folder can be shown: it may be deleted, or belong to another user. */
async function folderExists(folderId: number): Promise<boolean> {
  try {
    await queryClient.fetchInfiniteQuery(folderQuery(folderId, sortingNow()))
    return true
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 404)) return true
    rememberFolder(null)
    return false
  }
}

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
