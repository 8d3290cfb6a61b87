/** The way from an event to its item, if that is the reader's own and still there. */
import { useQuery } from '@tanstack/react-query'
import { getFile, listFileEvents } from '../../../src/api/files.ts'
import { PlaceLink } from '../../items/place-link.tsx'
import { call } from '../../lib/server/call.ts'

export function OwnItem({ id }: { id: number }) {
  const { data } = useQuery({
    queryKey: ['item', id, 'own'],
    queryFn: async () => {
      // The activity of other users' items is refused. The item itself may not be, and the log would record the look.
      await call(listFileEvents, { id, limit: 1 })
      return (await call(getFile, { id })).file
    },
  })
  return data && <PlaceLink item={data}>Show in folder</PlaceLink>
}
