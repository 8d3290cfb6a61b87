/** Focuses the first invalid field of a form. */
import { type RefObject, useLayoutEffect } from 'react'

/** `problems` holds the errors by field; each new object moves the focus again. */
export function useFocusInvalid(form: RefObject<HTMLFormElement | null>, problems: object): void {
  useLayoutEffect(() => {
    if (Object.keys(problems).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form, problems])
}
