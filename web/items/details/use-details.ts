/** Whether the details panel is open: remembered in wide windows, always closed at first on phones. */
import { create } from 'zustand'
import { prefer, usePreferences } from '../../lib/local/preferences.ts'
import { usePhone } from '../../ui/use-phone.ts'

/** Not remembered on a phone, where it fills the screen. */
const useSmall = create(() => ({ isOpen: false }))

/** Called before leaving for another screen, which the details of a phone would cover. */
export const closeSmallDetails = (): void => useSmall.setState({ isOpen: false })

interface Details {
  isOpen: boolean
  setOpen: (isOpen: boolean) => void
  toggle: () => void
}

export function useDetails(): Details {
  const isPhone = usePhone()
  const isOpenSmall = useSmall(state => state.isOpen)
  const isOpenWide = usePreferences(state => state.details)
  const isOpen = isPhone ? isOpenSmall : isOpenWide
  const setOpen = (next: boolean) => (isPhone ? useSmall.setState({ isOpen: next }) : prefer({ details: next }))
  return { isOpen, setOpen, toggle: () => setOpen(!isOpen) }
}
