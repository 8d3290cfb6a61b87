/** Pausing, resuming, taking over and ending a link, with the messages about it. */
import { type ReactNode, useState } from 'react'
import type { Link } from '../../../../src/api/links.ts'
import { changeLink, type LinkChange } from '../../../lib/data/links.ts'
import { reasonOf } from '../../../lib/server/call.ts'
import { showToast } from '../../../ui/toast.tsx'
import { EndLinkDialog } from './end-link-dialog.tsx'

export interface LinkActs {
  /** Why the server refused the last act; null if it did not. */
  problem: string | null
  pause: () => void
  resume: () => void
  takeOver: () => void
  /** Asks first. */
  end: () => void
  /** The question before ending; the caller renders it. */
  question: ReactNode
}

/** `onEnd` is called with a link that is about to leave its list. */
export function useLinkActs(link: Link, onEnd: (link: Link) => void): LinkActs {
  const [problem, setProblem] = useState<string | null>(null)
  const [isAsking, setAsking] = useState(false)
  const attempt = (change: LinkChange, message: string) => {
    setProblem(null)
    changeLink(link, change).then(
      () => showToast({ tone: 'success', message }),
      error => setProblem(reasonOf(error)),
    )
  }
  return {
    problem,
    pause: () => attempt({ is_active: false }, 'Link paused'),
    resume: () => attempt({ is_active: true }, 'Link resumed'),
    takeOver: () => attempt({ take_over: true }, 'The link is yours now'),
    end: () => setAsking(true),
    question: <EndLinkDialog link={isAsking ? link : null} onClose={() => setAsking(false)} onEnd={onEnd} />,
  }
}
