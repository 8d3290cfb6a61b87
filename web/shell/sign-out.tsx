/** Signing out from any menu; asks first when work would be lost. */
import { create } from 'zustand'
import { wouldLose } from '../lib/local/leaving.ts'
import { signOut } from '../lib/server/session.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'

/** Whether the question is on screen. */
export const useSignOutQuestion = create<{ isAsked: boolean }>(() => ({ isAsked: false }))

/** Signs out; asks first when uploads are unfinished or changes unsaved. */
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
