/** The dialog itself; a chunk of its own. */
import { Modal } from '@mantine/core'
import type { DialogProps } from './dialog-props.ts'
import { useFocusReturn } from './use-focus-return.ts'

const ignore = () => undefined
/** No way to close it, and above every other dialog. */
const lasting = { withCloseButton: false, closeOnEscape: false, closeOnClickOutside: false, zIndex: 300 }

export function ModalDialog({ size = 420, onClose, ...rest }: DialogProps) {
  useFocusReturn(rest.opened)
  return (
    <Modal
      size={size}
      onClose={onClose ?? ignore}
      {...(onClose === undefined ? lasting : {})}
      {...rest}
      data-closing={!rest.opened || undefined}
    />
  )
}
