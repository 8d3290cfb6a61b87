/** Assembles the uploads of a page: rows, queue and dialogs' state, on top of the given dependencies. */
import { create } from 'zustand'
import { openArrivals } from './arrivals.ts'
import { followClashes } from './clashes.ts'
import { followSession, followTray } from './follow.ts'
import { openRows } from './rows.ts'
import type { UploadDeps, Uploads } from './state.ts'
import { followUnfinished } from './unfinished.ts'

export function openUploads(deps: UploadDeps): Uploads {
  const uploads: Uploads = {
    deps,
    rows: openRows(deps.after),
    queue: {
      running: new Map(),
      small: [],
      large: [],
      mayJoin: true,
      ownerId: deps.session.getState().user?.id,
      isHeld: false,
      isCutOff: false,
    },
    arrivals: openArrivals(deps.refresh),
    useReading: create<{ files: number | null }>(() => ({ files: null })),
    usePause: create<{ until: number | null }>(() => ({ until: null })),
    useQuestion: create<{ isAsked: boolean }>(() => ({ isAsked: false })),
    reading: 0,
    lastId: 0,
  }
  followTray(uploads)
  followSession(uploads)
  followClashes(uploads)
  followUnfinished(uploads)
  return uploads
}
