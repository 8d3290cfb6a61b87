/** The dialog that creates a tag, or changes its name and colour. */
import { Button, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { maxTagNameLength } from '../../../src/api/limits.ts'
import { type Tag, updateTag } from '../../../src/api/tags.ts'
import { TagDot } from '../../items/tag-chip.tsx'
import { firstTagColor, moreTagColors } from '../../items/tag-colors.ts'
import { makeTag, refreshTags } from '../../lib/data/tags.ts'
import { call } from '../../lib/server/call.ts'
import { messageOf } from '../../lib/server/message-of.ts'
import { ColorChoice } from '../../ui/color-choice.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { DialogActions } from '../../ui/dialog-actions.tsx'
import { useBusy } from '../../ui/use-busy.ts'
import { usePhone } from '../../ui/use-phone.ts'
import styles from './tag-dialog.module.css'

interface TagDialogProps {
  opened: boolean
  /** The tag to change; null creates one. */
  tag: Tag | null
  onClose: () => void
}

export function TagDialog({ opened, tag, onClose }: TagDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title={tag === null ? 'New Tag' : 'Edit Tag'} closeOnClickOutside={false}>
      <TagForm tag={tag} onClose={onClose} />
    </Dialog>
  )
}

const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)

function TagForm({ tag, onClose }: Omit<TagDialogProps, 'opened'>) {
  const [name, setName] = useState(tag?.name ?? '')
  const [color, setColor] = useState(tag?.color ?? firstTagColor)
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useBusy()
  const size = usePhone() ? 'lg' : 'sm'
  const canSave = name.trim() !== '' && isColor(color)

  const save = async () => {
    if (tag === null) await makeTag(name.trim(), color)
    else {
      await call(updateTag, { id: tag.id, name: name.trim(), color })
      await refreshTags()
    }
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (!canSave || isBusy) return
    setBusy(true)
    try {
      await save()
      onClose()
    } catch (error) {
      setProblem(messageOf(error, tag === null ? 'Failed to create tag' : 'Failed to update tag'))
      setBusy(false)
    }
  }
  return (
    <form onSubmit={event => void submit(event)}>
      <TextInput
        label="Name"
        value={name}
        onChange={event => {
          setName(event.currentTarget.value)
          setProblem(null)
        }}
        error={problem}
        size={size}
        maxLength={maxTagNameLength}
        autoComplete="off"
        dir="auto"
        data-autofocus
      />
      <div className={styles.colors}>
        <ColorChoice label="Color" colors={moreTagColors} value={color} onChange={setColor} />
        <TextInput
          aria-label="Color as #RRGGBB"
          description={isColor(color) ? 'Or any other, as #RRGGBB' : undefined}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          className={styles.hex}
          leftSection={isColor(color) ? <TagDot tag={{ name: '', color }} /> : <span className={styles.noDot} />}
          value={color}
          onChange={event => setColor(event.currentTarget.value.trim())}
          error={isColor(color) ? undefined : 'A color has six digits, such as #3B82F6'}
          size={size}
          maxLength={7}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <DialogActions>
        <Button variant="default" size={size} disabled={isBusy} onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          size={size}
          disabled={!canSave || isBusy}
          title={name.trim() === '' ? 'Type a name first' : undefined}
        >
          {isBusy ? 'Saving...' : tag === null ? 'Create Tag' : 'Save'}
        </Button>
      </DialogActions>
    </form>
  )
}
