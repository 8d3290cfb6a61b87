/** The button that opens the choice of columns or, on a phone, of what stands below the names. */
import { IconAdjustmentsHorizontal, IconColumns3 } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { lazyPart } from '../../../lib/server/lazy-part.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import type { MenuPlace } from '../../../ui/menu-props.ts'
import { useOnceTrue } from '../../../ui/use-once-true.ts'
import { usePhone } from '../../../ui/use-phone.ts'
import { belowNames, type ListShape } from './columns.ts'

const ColumnsMenu = lazyPart(() => import('./columns-menu.tsx'), 'ColumnsMenu')

export function ColumnsButton({ shape }: { shape: ListShape }) {
  const isPhone = usePhone()
  const button = useRef<HTMLButtonElement>(null)
  const [place, setPlace] = useState<MenuPlace | null>(null)
  const isNeeded = useOnceTrue(place !== null)
  const open = (event: { currentTarget: HTMLElement }) => setPlace(event.currentTarget.getBoundingClientRect())
  const close = () => {
    setPlace(null)
    button.current?.focus()
  }
  const look = isPhone
    ? ({ label: belowNames, icon: IconAdjustmentsHorizontal, size: 'lg', iconSize: 20 } as const)
    : { label: 'Columns', icon: IconColumns3 }
  return (
    <>
      <IconButton ref={button} aria-haspopup="menu" onClick={open} {...look} />
      {isNeeded && <ColumnsMenu place={place} shape={shape} onClose={close} />}
    </>
  )
}
