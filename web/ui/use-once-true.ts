/** Whether something has ever been true: keeps a part mounted after its first opening, for its closing animation. */
import { useState } from 'react'

export function useOnceTrue(isTrue: boolean): boolean {
  const [wasTrue, setWasTrue] = useState(isTrue)
  if (isTrue && !wasTrue) setWasTrue(true)
  return isTrue || wasTrue
}
