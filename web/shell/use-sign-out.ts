/** Signing out from any menu: unlike a session that ran out, it leaves no way back to the page one was on. */
import { useNavigate } from '@tanstack/react-router'
import { signOut } from '../lib/session.ts'

export function useSignOut(): () => void {
  const navigate = useNavigate()
  return () => {
    void signOut().then(() => navigate({ to: '/login', search: {} }))
  }
}
