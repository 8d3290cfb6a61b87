/** The window of a dialog. */
import { Modal } from '@mantine/core'
import type { DialogProps } from './dialog-props.ts'

const ignore = () => undefined
/** Without a way out, and before whatever else is open. */
const lasting = { withCloseButton: false, closeOnEscape: false, closeOnClickOutside: false, zIndex: 300 }

export function ModalDialog({ size = 420, onClose, ...rest }: DialogProps) {
  return <Modal size={size} onClose={onClose ?? ignore} {...(onClose === undefined ? lasting : {})} {...rest} />
}
