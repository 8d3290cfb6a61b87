/** Whether the details panel stands beside the list: remembered on wide windows, asked for each time on phones. */
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { usePhone } from '../../ui/use-phone.ts'

interface Openness {
  isOpen: boolean
}

const useWide = create<Openness>()(persist((): Openness => ({ isOpen: false }), { name: 'details-visible' }))
/** On a phone it fills the screen, so that it is no state to come back to. */
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
