/** The question before work would be lost by signing out; a chunk of its own. */
import { signOut } from '../lib/server/session.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useSignOutQuestion } from './sign-out.ts'

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
