/** Describes what was done to an item. */
import type { ReactNode } from 'react'
import type { EventAction } from '../../../src/api/event-actions.ts'
import type { ChangeEvent } from '../../../src/api/events.ts'
import { actorName } from '../../lib/words/actor-name.ts'
import { levelName } from '../sharing/levels.ts'
import { Original, Target } from './event-item.tsx'

type Detail = NonNullable<ChangeEvent['detail']>

const textOf = (detail: Detail, key: string): string | null => {
  const value = detail[key]
  return typeof value === 'string' && value !== '' ? value : null
}

/** Words followed by a name, which may be right-to-left. */
const naming = (words: string, name: string): ReactNode => (
  <>
    {words} <bdi>{name}</bdi>
  </>
)

/** Words followed by a name, or other words when the event does not contain the name. */
const perhapsNaming =
  (key: string, words: string, without: string) =>
  (detail: Detail): ReactNode => {
    const name = textOf(detail, key)
    return name === null ? without : naming(words, name)
  }

const decided =
  (verb: string) =>
  (detail: Detail): ReactNode => {
    const comment = textOf(detail, 'comment')
    return comment === null ? `${verb} it` : naming(`${verb} it:`, comment)
  }

function moved(to: unknown): ReactNode {
  if (to === null) return 'moved it to Home'
  const without = 'moved it to another folder'
  return typeof to === 'number' ? <Target id={to} words="moved it to" without={without} /> : without
}

function copied(from: unknown): ReactNode {
  const without = 'made it as a copy'
  return typeof from === 'number' ? <Original id={from} words="made it as a copy of" without={without} /> : without
}

function changedAccess(detail: Detail): ReactNode {
  const [who, from, level] = ['who', 'from', 'level'].map(key => textOf(detail, key))
  if (who == null) return 'changed who has access'
  const change = from == null ? '' : ` from ${levelName(from)} to ${levelName(level)}`
  return (
    <>
      changed the access of <bdi>{who}</bdi>
      {change}
    </>
  )
}

type Words = ReactNode | ((detail: Detail) => ReactNode)

/** The actions that an item's activity shows. */
const words: Record<string, Words> = {
  'file.upload': 'uploaded it',
  'file.replace': 'replaced its content',
  'folder.create': 'created it',
  'file.rename': perhapsNaming('from', 'renamed it from', 'renamed it'),
  'file.move': ({ to }) => moved(to),
  'file.copy': ({ from }) => copied(from),
  'file.favorite': 'added it to favorites',
  'file.unfavorite': 'removed it from favorites',
  'file.tag': perhapsNaming('name', 'added the tag', 'added a tag'),
  'file.untag': perhapsNaming('name', 'removed the tag', 'removed a tag'),
  'file.metadata': 'changed its metadata',
  'file.date': 'changed its date',
  'file.trash': 'moved it to the trash',
  'file.restore': 'restored it from the trash',
  'file.repair': 'corrected its entry',
  'share.create': perhapsNaming('who', 'shared it with', 'shared it'),
  'share.update': changedAccess,
  'share.delete': perhapsNaming('who', 'ended the access of', 'stopped sharing it'),
  'link.create': perhapsNaming('label', 'made the link', 'made a link to it'),
  'link.update': perhapsNaming('label', 'changed the link', 'changed a link to it'),
  'link.delete': perhapsNaming('label', 'ended the link', 'ended a link to it'),
  'file.approve': decided('approved'),
  'file.reject': decided('rejected'),
} satisfies Partial<Record<EventAction, Words>>

/** `You renamed it from a.txt`; `me` is the reader's user id. An unknown action is shown by its own name. */
export function EventWords({ event, me }: { event: ChangeEvent; me: number | undefined }) {
  const { actor_id, action, detail } = event
  const told = words[action]
  const actor = actor_id === me ? 'You' : actorName(event)
  return (
    <>
      <bdi>{actor}</bdi> {typeof told === 'function' ? told(detail ?? {}) : (told ?? `did ${action}`)}
    </>
  )
}
