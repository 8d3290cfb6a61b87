/** The list of keys, new secrets above it, and the confirmation dialogs. */
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiKey } from '../../../src/api/keys.ts'
import { ToastName } from '../../items/actions/toast-name.tsx'
import { changeKey, keysQuery, removeKey, useNewKeys } from '../../lib/data/keys.ts'
import { reasonOf } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { KeyDrawing } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorStrip } from '../../ui/error-strip.tsx'
import { showError, showToast } from '../../ui/toast.tsx'
import { useDelayed } from '../../ui/use-delayed.ts'
import { usePhone } from '../../ui/use-phone.ts'
import type { KeyActions } from './key-actions.ts'
import { KeyBoxes } from './key-boxes.tsx'
import { KeySkeleton } from './key-skeleton.tsx'
import { KeyTable } from './key-table.tsx'
import styles from './keys-tab.module.css'
import { NewKeyBanner } from './new-key-banner.tsx'
import { RenameKeyDialog } from './rename-key-dialog.tsx'

async function setActive(key: ApiKey, isActive: boolean): Promise<void> {
  try {
    await changeKey(key.id, { is_active: isActive })
  } catch (error) {
    return showError(messageOf(error, 'Failed to update API key'))
  }
  showToast({
    tone: 'success',
    message: (
      <>
        <ToastName item={{ name: key.name, is_directory: true }} /> was {isActive ? 'enabled' : 'disabled'}
      </>
    ),
    action: { label: 'Undo', run: () => void setActive(key, !isActive) },
  })
}

interface KeysTabProps {
  onCreate: () => void
  /** Called after a key is deleted, before the dialog closes. */
  onDeleted: () => void
}

export function KeysTab({ onCreate, onDeleted }: KeysTabProps) {
  const { data: keys, error, errorUpdateCount, isPending, refetch } = useQuery(keysQuery)
  const newKeys = useNewKeys(state => state.keys)
  const [dismissed, setDismissed] = useState(0)
  const [renaming, setRenaming] = useState<ApiKey | null>(null)
  const [removing, setRemoving] = useState<ApiKey | null>(null)
  const isWaiting = useDelayed(isPending, 150)
  const List = usePhone() ? KeyBoxes : KeyTable
  const actions: KeyActions = {
    rename: setRenaming,
    toggle: key => void setActive(key, !key.is_active),
    remove: setRemoving,
  }
  return (
    <>
      {error && errorUpdateCount > dismissed && (
        <ErrorStrip
          title="Failed to load API keys"
          reason={reasonOf(error)}
          onRetry={() => void refetch()}
          onDismiss={() => setDismissed(errorUpdateCount)}
        />
      )}
      <div className={styles.page}>
        {newKeys.map(key => (
          <NewKeyBanner key={key.id} apiKey={key} />
        ))}
        {isWaiting && <KeySkeleton />}
        {keys && keys.length > 0 && <List keys={keys} actions={actions} />}
        {keys?.length === 0 && (
          <EmptyState
            drawing={<KeyDrawing />}
            title="No API keys yet"
            sentence="With a key, scripts and other programs can use your files"
          >
            <Button variant="default" leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />} onClick={onCreate}>
              Create API Key
            </Button>
          </EmptyState>
        )}
      </div>
      <RenameKeyDialog apiKey={renaming} onClose={() => setRenaming(null)} />
      <ConfirmDialog
        opened={removing !== null}
        onClose={() => setRemoving(null)}
        title="Delete API Key"
        confirm="Delete"
        onConfirm={async () => {
          if (removing !== null) await removeKey(removing.id)
          onDeleted()
        }}
        failed={problem => messageOf(problem, 'Failed to delete API key')}
      >
        Programs that use <strong>{removing?.name}</strong> lose their access at once.{' '}
        {keys?.some(({ made_by }) => made_by === removing?.id) && 'The keys that it made go with it. '}This action
        cannot be undone.
      </ConfirmDialog>
    </>
  )
}
