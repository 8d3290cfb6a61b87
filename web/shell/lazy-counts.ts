/** The number of new shares, in a chunk of its own: it is asked for once the page is ready. */
import { lazyPart } from '../lib/server/lazy-part.ts'

export const NewSharesCount = lazyPart(() => import('./new-shares-count.tsx'), 'NewSharesCount')
