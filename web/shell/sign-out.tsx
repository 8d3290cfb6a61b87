/** Signing out from any menu, after a question where something would be lost by it. */
import { create } from 'zustand'
import { wouldLose } from '../lib/local/leaving.ts'
import { signOut } from '../lib/server/session.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Whether the question is on screen. */
export const useSignOutQuestion = create<{ isAsked: boolean }>(() => ({ isAsked: false }))

/** Signs out; asks first where uploads are unfinished or changes are not saved. */
export function askSignOut(): void {
  if (wouldLose()) useSignOutQuestion.setState({ isAsked: true })
  else void signOut()
}

export function SignOutQuestion() {
  const { isAsked } = useSignOutQuestion()
  return (
    <ConfirmDialog
      opened={isAsked}
      onClose={() => useSignOutQuestion.setState({ isAsked: false })}
      title="Log out?"
      confirm="Logout"
      cancel="Stay"
      onConfirm={signOut}
    >
      Uploads that have not finished and changes that have not been saved will be lost.
    </ConfirmDialog>
  )
}
