/** Keeps a dialog's content during its closing animation. */
import { useState } from 'react'

/** Returns the value or, while it is null, the last one that was not. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
