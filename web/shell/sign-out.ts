/** Signing out from any menu; asks first when work would be lost. */
import { create } from 'zustand'
import { wouldLose } from '../lib/local/leaving.ts'
import { signOut } from '../lib/server/session.ts'

/** Whether the question is on screen. */
export const useSignOutQuestion = create<{ isAsked: boolean }>(() => ({ isAsked: false }))

/** Signs out; asks first when uploads are unfinished or changes unsaved. */
export function askSignOut(): void {
  if (wouldLose()) useSignOutQuestion.setState({ isAsked: true })
  else void signOut()
}
