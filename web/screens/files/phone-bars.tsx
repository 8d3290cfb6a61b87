/** A phone's bars in place of the toolbar: one above the list, and buttons below it. */
import { Button } from '@mantine/core'
import { IconDots, IconFolderPlus, IconRefresh, IconSelectAll, IconUpload } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { PhoneFoldersButton } from '../../items/folders-button.tsx'
import { isSelecting, PhoneSelectionBottom, PhoneSelectionTop } from '../../items/list/selection/phone-selection.tsx'
import { itemActs } from '../../items/list/selection/selection-acts.ts'
import type { ListState } from '../../items/list/use-list-state.ts'
import { ActionMenu } from '../../ui/action-menu.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import type { MenuAction, MenuPlace } from '../../ui/menu-props.ts'
import styles from './phone-bars.module.css'

interface PhoneTopProps {
  breadcrumbs: ReactNode
  state: ListState
  onRefresh: () => Promise<unknown>
  /** Leads to the trash of the team folder; null outside of one. */
  trash: MenuAction | null
}

/** The breadcrumbs with a menu, or the count during a selection. */
export function PhoneTop({ breadcrumbs, state, onRefresh, trash }: PhoneTopProps) {
  const [place, setPlace] = useState<MenuPlace | null>(null)
  if (isSelecting(state)) return <PhoneSelectionTop over="path" {...state} />
  const actions = [
    { label: 'Select all', icon: IconSelectAll, run: state.selection.selectAll },
    { label: 'Refresh', icon: IconRefresh, run: () => void onRefresh() },
    ...(trash ? [trash] : []),
  ]
  return (
    <div className={styles.top}>
      {breadcrumbs}
      <IconButton
        label="Folder actions"
        icon={IconDots}
        iconSize={20}
        size="lg"
        onClick={event => setPlace(event.currentTarget.getBoundingClientRect())}
      />
      <ActionMenu place={place} groups={[actions]} label="Folder actions" onClose={() => setPlace(null)} />
    </div>
  )
}

interface PhoneBottomProps {
  state: ListState
  /** Absent when the user may not. */
  onNewFolder: (() => void) | undefined
  onUpload: (() => void) | undefined
}

export function PhoneBottom({ state, onNewFolder, onUpload }: PhoneBottomProps) {
  if (isSelecting(state))
    return <PhoneSelectionBottom selection={state.selection} acts={itemActs(state.actions, state.selection.items)} />
  return (
    <div className={styles.bottom} data-bottom-bar>
      <PhoneFoldersButton />
      {onNewFolder && (
        <Button
          variant="default"
          size="lg"
          leftSection={<IconFolderPlus size={20} stroke={1.75} aria-hidden />}
          onClick={onNewFolder}
        >
          New Folder
        </Button>
      )}
      {onUpload && (
        <Button size="lg" leftSection={<IconUpload size={20} stroke={1.75} aria-hidden />} onClick={onUpload}>
          Upload
        </Button>
      )}
    </div>
  )
}
