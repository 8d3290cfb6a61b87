/** Keeps what a dialog was about while it is seen to close. */
import { useState } from 'react'

/** The value, and where that is null the last one that was not. */
export function useLast<Value>(value: Value | null): Value | null {
  const [last, setLast] = useState(value)
  if (value !== null && value !== last) setLast(value)
  return value ?? last
}
