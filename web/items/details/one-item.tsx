/** The details of one item. What the list knows is shown at once, the rest is loaded after a moment. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { FileItem } from '../../../src/api/items.ts'
import { itemQuery } from '../../lib/data/metadata.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import type { ItemActions } from '../actions/use-item-actions.tsx'
import { Activity } from './activity.tsx'
import { activityQuery } from './activity-query.ts'
import { FileTags } from './file-tags.tsx'
import { Information } from './information.tsx'
import { ItemHead } from './item-head.tsx'
import { Metadata } from './metadata.tsx'
import { useUploadFields } from './use-upload-fields.ts'

interface OneItemProps {
  item: FileItem
  /** Whether it is the folder on screen. */
  isPlace: boolean
  actions: ItemActions
}

/** Milliseconds before the details are requested, so that stepping through a list requests nothing on the way. */
const askDelay = 120

export function OneItem({ item, isPlace, actions }: OneItemProps) {
  const stays = useDelayed(true, askDelay)
  // A list tells what its folder allows; the item itself may allow more.
  const details = useQuery({ ...itemQuery(item.id), enabled: stays })
  const may = details.data?.may ?? item.may
  const hasActivity = may === null || may.change
  const activity = useInfiniteQuery({ ...activityQuery(item.id), enabled: stays && hasActivity })
  const fields = useUploadFields(item)
  return (
    <>
      <ItemHead item={item} isPlace={isPlace} actions={actions} />
      {details.error && (
        <ErrorBox
          title="Failed to load details"
          reason={reasonOf(details.error)}
          onRetry={() => void details.refetch()}
        />
      )}
      <Information item={item} details={details.data} hasFailed={details.isError} />
      {!item.is_directory && <FileTags item={item} onAdd={() => actions.manageTags([item])} />}
      {fields !== undefined && (
        <>
          {!item.is_directory && <Metadata file={{ ...item, may }} values={details.data?.metadata} fields={fields} />}
          {hasActivity && <Activity query={activity} />}
        </>
      )}
    </>
  )
}
