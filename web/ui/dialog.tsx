/** A dialog over the page: title, content, and the actions that the content ends with. */
import { Fragment, useRef, useState } from 'react'
import type { DialogProps } from './dialog-props.ts'
import { ModalDialog } from './late.ts'
import { Busyness } from './use-busy.ts'

export function Dialog({ children, onClose, ...rest }: DialogProps) {
  const [isOpen, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  // Set while rendering, as React advises for state that follows from props.
  if (rest.opened !== isOpen) {
    setOpen(rest.opened)
    if (rest.opened) setOpenings(openings + 1)
  }
  const isBusy = useRef(false)
  const close = onClose && (() => (isBusy.current ? undefined : onClose()))
  // Once opened it stays mounted, so that it can also be seen to close.
  return openings > 0 ? (
    <Busyness value={isBusy}>
      <ModalDialog {...rest} onClose={close}>
        {/* Opened while it is still seen to close, it begins anew all the same. */}
        <Fragment key={openings}>{children}</Fragment>
      </ModalDialog>
    </Busyness>
  ) : null
}
