/** Whether the details panel is open: remembered in wide windows, always closed at first on phones. */
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { usePhone } from '../../ui/use-phone.ts'

interface Openness {
  isOpen: boolean
}

const useWide = create<Openness>()(persist((): Openness => ({ isOpen: false }), { name: 'details-visible' }))
/** Not remembered on a phone, where it fills the screen. */
const useSmall = create<Openness>(() => ({ isOpen: false }))

interface Details extends Openness {
  setOpen: (isOpen: boolean) => void
  toggle: () => void
}

export function useDetails(): Details {
  const store = usePhone() ? useSmall : useWide
  const { isOpen } = store()
  const setOpen = (next: boolean) => store.setState({ isOpen: next })
  return { isOpen, setOpen, toggle: () => setOpen(!isOpen) }
}
