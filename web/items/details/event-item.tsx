/** An item that an event names by its id, as a link; without a link's target, the event is told without the item. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { itemQuery } from '../../lib/data/metadata.ts'
import { PlaceLink } from '../place-link.tsx'
import { folderRoute } from '../show-in-folder.ts'
import { closeSmallDetails } from './use-details.ts'

interface EventItemProps {
  id: number
  /** The words before the link. */
  words: string
  /** What is told while the item is unknown, or when it is gone. */
  without: string
}

/** `made it as a copy of a.txt`: the original, shown in its folder. */
export function Original({ id, words, without }: EventItemProps): ReactNode {
  const { data } = useQuery(itemQuery(id))
  if (data === undefined) return without
  return (
    <>
      {words} <PlaceLink item={data}>{data.name}</PlaceLink>
    </>
  )
}

/** `moved it to Docs`: the folder, opened. */
export function Target({ id, words, without }: EventItemProps): ReactNode {
  const { data } = useQuery(itemQuery(id))
  if (data === undefined) return without
  return (
    <>
      {words}{' '}
      <Link {...folderRoute(id)} dir="auto" onClick={closeSmallDetails}>
        {data.name}
      </Link>
    </>
  )
}
