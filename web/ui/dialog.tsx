/** A dialog over the page: title, content, and the actions that the content ends with. */
import { Fragment, useRef, useState } from 'react'
import type { DialogProps } from './dialog-props.ts'
import { ModalDialog } from './lazy-overlays.ts'
import { Busyness } from './use-busy.ts'

export function Dialog({ children, onClose, ...rest }: DialogProps) {
  const [isOpen, setOpen] = useState(false)
  const [openings, setOpenings] = useState(0)
  // Set it during rendering, as React recommends for state derived from props.
  if (rest.opened !== isOpen) {
    setOpen(rest.opened)
    if (rest.opened) setOpenings(openings + 1)
  }
  const isBusy = useRef(false)
  const close = onClose && (() => (isBusy.current ? undefined : onClose()))
  // Keep it mounted after the first opening, so that its closing animation can run.
  return openings > 0 ? (
    <Busyness value={isBusy}>
      <ModalDialog {...rest} onClose={close}>
        {/* The key resets the content, even when the dialog opens again during its closing animation. */}
        <Fragment key={openings}>{children}</Fragment>
      </ModalDialog>
    </Busyness>
  ) : null
}
